import { BreakableText } from '#components/ui/breakable-text.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { TableBox } from '#components/ui/table-box.tsx';
import { WithCode } from '#components/ui/with-code.tsx';
import { counted } from '#lib/base/words.ts';
import type { PreflightState } from '#lib/console/host.ts';
import type { StepPlace } from '#lib/console/wizard/index.ts';
import { StartPreflight } from './start-preflight.tsx';
import { TestingNodesLater } from './testing-nodes-later.tsx';

/** The test of the nodes: shows all objects that it would create, then each node as it reports. */
export function TestNodes({
  place,
  preflight: { offer, view },
  kind,
}: {
  place: StepPlace;
  preflight: PreflightState;
  /** `primary` if the test is the next step of the page. */
  kind: 'primary' | 'plain';
}) {
  if (view !== null && view.ended === null) return <TestingNodesLater place={place} view={view} />;
  return (
    <div className="grid grid-cols-1 gap-2 text-sm">
      {view?.ended?.because != null && (
        <p role="status">
          <StateMark state="warn">Not tested</StateMark>{' '}
          <span className="[overflow-wrap:anywhere]">{view.ended.because}</span>
        </p>
      )}
      {view?.ended?.left != null && (
        <p role="status">
          <StateMark state="warn">Not all removed</StateMark>{' '}
          <span className="[overflow-wrap:anywhere]">{view.ended.left}</span>
        </p>
      )}
      {offer.kind === 'refused' ? (
        <p className="text-ink-2 [overflow-wrap:anywhere]">{offer.because}</p>
      ) : (
        <>
          <p className="text-ink-2 [overflow-wrap:anywhere]">
            <WithCode text={offer.makes} /> The pods read, send test packets to each other, and are removed again.
            {offer.withoutPod !== null && ` ${offer.withoutPod}`}
          </p>
          {offer.history !== null && (
            <p>
              <StateMark state="warn">Much for etcd</StateMark> <WithCode text={offer.history} />
            </p>
          )}
          <Disclosure summary="What the pods run, and which objects are created">
            <p className="text-ink-2">
              The privileged pod is on the node’s own network and sees its processes and files: it is root there. The
              script changes no route, rule or file; its test devices exist for seconds. The pods’ account has no rights
              and no token.
            </p>
            <Text label="Objects" text={offer.ids.join('\n')} open />
            <Text label="Objects as YAML" text={offer.objects} />
            <Text label="Script" text={offer.script} />
            {offer.podScript !== null && <Text label="Script of the pod network" text={offer.podScript} />}
          </Disclosure>
          <StartPreflight
            place={place}
            digest={offer.digest}
            kind={kind}
            words={`Test ${counted(offer.nodes, 'node')}`}
          />
        </>
      )}
    </div>
  );
}

/** The same, folded, if there is a result already. */
export function TestAgain({ place, preflight }: { place: StepPlace; preflight: PreflightState }) {
  const isUnderWay = preflight.view !== null && preflight.view.ended === null;
  return (
    <Disclosure summary="Test the nodes again" open={isUnderWay}>
      <TestNodes place={place} preflight={preflight} kind="plain" />
    </Disclosure>
  );
}

/** Folded unless `open`: four of them make the page long. */
function Text({ label, text, open = false }: { label: string; text: string; open?: boolean }) {
  return (
    <div className="mt-2">
      <Disclosure summary={label} open={open}>
        <TableBox label={label} className="max-h-64 overflow-y-auto rounded border border-line bg-sunk">
          <pre className="px-3 py-2 text-xs break-words whitespace-pre-wrap text-ink-2">
            <BreakableText text={text} />
          </pre>
        </TableBox>
      </Disclosure>
    </div>
  );
}
