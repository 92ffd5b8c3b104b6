'use client';

import { describedBy, Field, inputLook } from '#components/ui/field.tsx';
import type { Values } from '#lib/console/wizard/index.ts';
import type { UpgradeChanges } from '#lib/plan/index.ts';
import { useFieldError } from '../step/server-errors.ts';
import { useRegister } from '../step/use-register.ts';
import { HelmValues } from './changes/helm-values.tsx';
import { KeptFields } from './changes/kept-fields.tsx';
import { ManifestDecisions } from './changes/manifest-decisions.tsx';

/** What somebody set and the new release has otherwise: decided one by one by manifest, shown by Helm and by the operator, which keep it. */
export function ChangesFields({ changes, saved }: { changes: UpgradeChanges; saved: Values }) {
  if (changes.kind === 'manifest') return <ManifestDecisions changes={changes} saved={saved} />;
  if (changes.kind === 'operator') return <KeptFields kept={changes.kept} />;
  return (
    <div className="grid grid-cols-1 gap-6">
      <HelmValues values={changes.values} from={changes.from} to={changes.to} />
      <Chart chart={changes.chart} saved={saved.chart ?? ''} />
    </div>
  );
}

/** `--chart` of the command line. */
function Chart({ chart, saved }: { chart: string; saved: string }) {
  const register = useRegister();
  const error = useFieldError('chart');
  const hint =
    'A folder or packed chart on this machine, an address, or repository/chart; {version} stands for the release. Empty: the public chart.';
  return (
    <Field id="chart" label="Chart of the operator" hint={hint} error={error}>
      <input
        id="chart"
        className={`${inputLook} font-mono`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={saved === '' ? chart : ''}
        defaultValue={saved}
        {...register('chart')}
        {...describedBy('chart', { hint, error })}
      />
    </Field>
  );
}
