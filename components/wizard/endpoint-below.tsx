import { CheckAllAgain } from '#components/compatibility/check-all-again.tsx';
import { FindingCard } from '#components/compatibility/finding-card.tsx';
import { Frozen } from '#components/compatibility/frozen.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateIcon, StateMark } from '#components/ui/state-mark.tsx';
import { endpointProposal, type Place, type Situation, standingFindings } from '#lib/console/wizard/index.ts';

/** What was seen of the address from the console's machine, and what the checks of the group say of it. */
export function EndpointBelow({ place, situation }: { place: Place; situation: Situation }) {
  const { seen, sights } = endpointProposal(situation);
  const found = standingFindings(situation.findings).filter(
    ({ finding }) => finding.group === 'API endpoint' && finding.id !== 'endpoint.present',
  );
  const told = found.filter(({ standing }) => !['pass', 'skipped', 'waiting'].includes(standing));
  const passed = found.filter(({ standing }) => standing === 'pass');
  return (
    <div className="mt-6 grid grid-cols-1 gap-4">
      {sights.length > 0 && (
        <Panel
          title={seen === null ? 'What is known of the address' : `What was seen of ${seen}`}
          aside={<CheckAllAgain />}
        >
          <dl className="px-4 py-2 text-sm">
            {sights.map(({ what, state, says }) => (
              <div key={what} className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 py-1.5">
                <dt className="text-ink-3">{what}</dt>
                <dd className="flex gap-2 [overflow-wrap:anywhere]">
                  <span className="mt-[2px]">
                    <StateIcon state={state} />
                  </span>
                  <span className="min-w-0">{says}</span>
                </dd>
              </div>
            ))}
          </dl>
        </Panel>
      )}
      {told.length + passed.length > 0 && (
        <Frozen>
          <Panel title="What the checks say">
            {told.map((one) => (
              <FindingCard key={one.finding.id} found={one} place={place} />
            ))}
            {passed.length > 0 && (
              <section aria-label={`${passed.length} pass`} className="border-t border-line px-4 py-3 first:border-t-0">
                <Disclosure summary={<StateMark state="ok">{passed.length} pass</StateMark>}>
                  <ul className="grid grid-cols-1 gap-2 text-sm">
                    {passed.map(({ finding }) => (
                      <li key={finding.id}>
                        <p className="font-[560]">{finding.title}</p>
                        <p className="text-ink-2 [overflow-wrap:anywhere]">{finding.because}</p>
                      </li>
                    ))}
                  </ul>
                </Disclosure>
              </section>
            )}
          </Panel>
        </Frozen>
      )}
    </div>
  );
}
