import { CheckAllAgain } from '#components/compatibility/check-all-again.tsx';
import { FindingCard } from '#components/compatibility/finding-card.tsx';
import { Frozen } from '#components/compatibility/frozen.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { agreeing } from '#lib/base/words.ts';
import { endpointRows, findingsInState, type StepPlace, type WizardContext } from '#lib/console/wizard/index.ts';
import { EndpointTable } from './endpoint-table.tsx';

/** The endpoint's probe from the console's machine, and the findings of its group. */
export function EndpointBelow({ place, context }: { place: StepPlace; context: WizardContext }) {
  const rows = endpointRows(context);
  const found = findingsInState(context.findings).filter(
    ({ finding }) => finding.group === 'API endpoint' && finding.id !== 'endpoint.present',
  );
  const open = found.filter(({ state }) => !['pass', 'skipped', 'waiting'].includes(state));
  const passed = found.filter(({ state }) => state === 'pass');
  const passing = `${passed.length} ${agreeing(passed.length, 'passes', 'pass')}`;
  return (
    <div className="mt-6 grid grid-cols-1 gap-4">
      <Panel
        title={rows.seen === null ? 'Facts about the address' : `What was seen of ${rows.seen}`}
        aside={<CheckAllAgain />}
      >
        <EndpointTable rows={rows} />
      </Panel>
      {open.length + passed.length > 0 && (
        <Frozen>
          <Panel title="What the checks say">
            {open.map((one) => (
              <FindingCard key={one.finding.id} found={one} place={place} draft={context.draft} />
            ))}
            {passed.length > 0 && (
              <section aria-label={passing} className="border-t border-line px-4 py-3 first:border-t-0">
                <Disclosure summary={<StateMark state="ok">{passing}</StateMark>}>
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
