import { Panel } from '#components/ui/panel.tsx';
import { counted } from '#lib/base/words.ts';
import type { WizardContext } from '#lib/console/wizard/index.ts';

/** The options that the plan takes without asking. */
export function OptionsBelow({ context }: { context: WizardContext }) {
  const rows = otherwise(context);
  return (
    <div className="mt-6">
      <Panel title="Proposed otherwise">
        <dl className="px-4 py-2 text-sm">
          {rows.map(({ what, says }) => (
            <div key={what} className="grid gap-x-3 py-1.5 sm:grid-cols-[9rem_minmax(0,1fr)]">
              <dt className="text-ink-3">{what}</dt>
              <dd className="[overflow-wrap:anywhere]">{says}</dd>
            </div>
          ))}
        </dl>
      </Panel>
    </div>
  );
}

function otherwise({ facts, plan, draft }: WizardContext): { what: string; says: string }[] {
  const isInstall = draft.answers.goal === 'install';
  const ids = plan.kind === 'made' ? plan.operations.map(({ id }) => id) : [];
  const pools = facts.pools.map(({ cidr, encapsulation }) => `${cidr} (${encapsulation})`).join(', ');
  const restored = ids.includes('felix.cleanup-restore');
  return [
    {
      what: 'IP pools',
      says: isInstall
        ? 'As set in Custom resources.'
        : facts.pools.length === 0
          ? 'None was found.'
          : `${counted(facts.pools.length, 'pool')} as now: ${pools}`,
    },
    ...(ids.includes('felix.cleanup-flag')
      ? [
          {
            what: 'Rules of kube-proxy',
            says: restored
              ? 'Kept while nodes move, removed after the proxy is off.'
              : 'Kept, because the proxy keeps running.',
          },
        ]
      : []),
    ...Object.entries(facts.resources.objects['Installation/default'] ? situatedFields(plan) : {}).map(
      ([what, says]) => ({ what, says }),
    ),
    {
      what: 'Everything else',
      says: isInstall
        ? 'Calico’s own defaults.'
        : 'Calico’s own defaults for eBPF, and what FelixConfiguration sets today.',
    },
  ];
}

/** Fields of the Installation that were requested with `--set` and are part of the plan. */
function situatedFields(plan: WizardContext['plan']): Record<string, string> {
  const options = plan.kind === 'made' ? plan.operations.find(({ id }) => id === 'installation.options') : undefined;
  return options ? { Installation: `${options.title}.` } : {};
}
