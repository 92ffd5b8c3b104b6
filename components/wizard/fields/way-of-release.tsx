import { Panel } from '#components/ui/panel.tsx';
import { counted } from '#lib/base/words.ts';
import type { WizardContext } from '#lib/console/wizard/index.ts';

/** From what runs to what is to run, with each release on the way and the gate that asks for it. */
export function WayOfRelease({ way: { from, to, through } }: { way: NonNullable<WizardContext['way']> }) {
  const hops = through.length + 1;
  return (
    <Panel title="The way" aside={hops > 1 ? <span className="text-sm">{counted(hops, 'hop')}</span> : undefined}>
      <ol className="divide-y divide-line text-sm">
        <Stop version={from ?? 'not known'} is="runs now" />
        {through.map(({ version, gate, because }) => (
          <Stop key={version} version={version} is="on the way">
            {because} (
            <a href={`/reference/gates#${gate}`} className="underline">
              gate {gate}
            </a>
            ). A whole upgrade of its own, with its waits and its way back; the run can stop there.
          </Stop>
        ))}
        <Stop version={to} is="to run" />
      </ol>
    </Panel>
  );
}

function Stop({ version, is, children }: { version: string; is: string; children?: React.ReactNode }) {
  return (
    <li className="grid grid-cols-[5.5rem_6rem_minmax(0,1fr)] gap-x-3 px-4 py-2 max-sm:grid-cols-[5.5rem_minmax(0,1fr)]">
      <span className="font-semibold">{version}</span>
      <span className="text-ink-3">{is}</span>
      {children !== undefined && <span className="text-ink-2 max-sm:col-span-2">{children}</span>}
    </li>
  );
}
