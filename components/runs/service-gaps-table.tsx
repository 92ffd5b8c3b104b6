import { MissedServices } from '#components/run/missed-services.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { TableBox } from '#components/ui/table-box.tsx';
import { gapLength, gapsSentence, kindsAsked, type ServiceGaps } from '#lib/run/index.ts';
import { serviceTitle } from '#lib/spec/watched-services.ts';

type Gap = ServiceGaps['nodes'][number]['kinds'][number];

/** How long Services did not answer on each node while the run changed their data plane. */
export function ServiceGapsTable({ services }: { services: ServiceGaps }) {
  const kinds = kindsAsked(services.nodes);
  return (
    <Panel title="Services while it changed">
      <p className="px-4 py-3">{gapsSentence(services)}</p>
      <MissedServices missed={services.missed} className="px-4 pb-3" />
      <TableBox label="Longest gap of each Service, by node">
        <table>
          <thead>
            <tr>
              <th scope="col">Node</th>
              {kinds.map((kind) => (
                <th key={kind} scope="col">
                  {serviceTitle(kind)}, longest gap
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {services.nodes.map(({ node, kinds: asked }) => (
              <tr key={node}>
                <td>
                  <code>{node}</code>
                </td>
                {kinds.map((kind) => (
                  <td key={kind}>
                    <InWords gap={asked.find((one) => one.kind === kind)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
    </Panel>
  );
}

function InWords({ gap }: { gap: Gap | undefined }) {
  if (gap === undefined || gap.longestMs === null) return <span className="text-violet">not measured</span>;
  return (
    <>
      {gap.longestMs === 0 ? 'none' : gapLength(gap.longestMs)}
      {gap.sumMs > gap.longestMs && <span className="text-ink-3">, {gapLength(gap.sumMs)} in all</span>}
      {gap.unmeasuredMs > 0 && <span className="text-violet">, {gapLength(gap.unmeasuredMs)} not measured</span>}
    </>
  );
}
