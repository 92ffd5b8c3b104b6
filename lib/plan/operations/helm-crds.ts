import { agreeing, counted, inList } from '#lib/base/words.ts';
import {
  chartVersion,
  definitionChartOf,
  definitionCharts,
  helmRecordResource,
  helmSecretName,
  type ObjectRef,
} from '#lib/spec/index.ts';
import { keepHelmRecords } from '../access/rules.ts';
import { all, defineOperation } from '../define-operation.ts';
import { isMadeHere } from '../objects/made-here.ts';
import { definitionsOf, requiredRelease } from '../objects/release-objects.ts';
import type { PlanContext } from '../operation.ts';
import { awaited, lastDone, ownField, sequence, undoneBy } from '../pins/parts.ts';
import { either, exactly, type Fits, fits, integer, listOf, onceOrNever, text } from '../pins/pattern.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';
import {
  chartVersionOf,
  definitionsByHelm,
  definitionsChartFor,
  driverOf,
  type HelmRelease,
  hasDefinitionsOf,
  isUpgradedByPlan,
} from '../upgrade/helm/installed-by-helm.ts';
import { aDefinition, crds } from './crds.ts';

const replaceable = definitionCharts.filter(({ isNative }) => !isNative);

const aVersion = text(chartVersion);

/**
 * Upgrades the Helm release that holds Calico's kinds (RN v3.32.0). If they were applied beside it, that release's next `helm upgrade` would bring
 * the old ones back. This departs from operations.md, whose `helm.crds` applies the file on the server: `crds` does that if no Helm release holds the
 * kinds. What Helm would delete is checked first (lib/run/acts/helm-definitions.ts).
 */
export const helmCrds = defineOperation({
  id: 'helm.crds',
  title: (context) =>
    `Upgrade the Helm release ${found(context).name}, which holds Calico’s kinds, to ${requiredRelease(context).version}`,
  why: (context) =>
    `The kinds come first, so that no field of the new release is dropped; the old release works with them. A Helm release of its own holds them, so Helm replaces them: applied beside it, the next \`helm upgrade\` of ${found(context).name} would bring the old ones back. What the chart holds is compared with no checksum: helm trusts ${chartOf(context)}. A kind that it lacks Helm would delete with all its objects: what would be left is asked before anything is sent.${ofNewKinds(context)}`,
  whenPaused:
    'Some kinds may be those of the new release already; the release that runs works with either. Traffic is as before. `helm history` says what Helm holds.',
  effect: 'none',
  reversible: true,
  appliesTo: (context) => isUpgradedByPlan(definitionsByHelm(context) ?? { chart: null }),
  settled: (context) => hasDefinitionsOf(found(context), requiredRelease(context).version),
  mayWrite: ({ act }, choices) => {
    const { release, namespace, driver } = act.kind === 'helm' ? act : { release: '', namespace: '' };
    const storage = driverOf({ driver });
    const deployed = { kind: 'helm-deployed', release, namespace, chart: aVersion, ...storage };
    const rolledBack = {
      act: { kind: 'helm', verb: 'rollback', release, namespace, revision: integer(1, 1_000_000), ...storage },
      done: deployed,
    };
    return {
      step: (step: unknown) => {
        const version = ownField(ownField(step, 'act'), 'version');
        const charts = replaceable.map(({ name: holds }) =>
          exactly({ chart: definitionsChartFor(String(version), choices, holds), holds }),
        );
        const { chart, holds } = (ownField(step, 'act') ?? {}) as Record<string, unknown>;
        return (
          either(...charts)({ chart, holds }) &&
          fits(step, {
            act: {
              ...{ kind: 'helm', verb: 'upgrade', release, namespace, chart: isText, version: aVersion },
              ...{ set: exactly({}), values: 'reset-then-reuse', holds: isText, ...storage },
            },
            done: {
              kind: 'all',
              of: [
                { ...deployed, chart: exactly(version) },
                { kind: 'established', targets: listOf(aDefinition) },
              ],
            },
          })
        );
      },
      undo: undoneBy('release', (step) =>
        fits(step, {
          act: sequence(onceOrNever(awaited({ kind: 'only-ours-left', within: listOf(aDefinition) })), rolledBack),
          done: exactly(lastDone(ownField(step, 'act'))),
        }),
      ),
    };
  },
  needs: (scope) => [
    ...crds.needs(scope),
    // If the operator's release is known and no other one holds the definitions, there are no records.
    ...(scope.helmRecords && !scope.definitionsRecords
      ? []
      : keepHelmRecords(scope.definitionsRecords, scope.operatorNamespace)),
  ],
  // The revision that was read must still be deployed: otherwise this upgrade's values would revert somebody else's change.
  reads: (context) => {
    const { name, namespace, revision, driver } = found(context);
    const target = { resource: helmRecordResource(driver), namespace, name: helmSecretName(name, revision) };
    return [{ target, expected: [{ path: ['metadata', 'labels', 'status'], equals: 'deployed' }] }];
  },
  act: (context) => {
    const release = found(context);
    return {
      kind: 'helm',
      verb: 'upgrade',
      release: release.name,
      namespace: release.namespace,
      chart: chartOf(context),
      version: requiredRelease(context).version,
      set: {},
      values: 'reset-then-reuse',
      holds: chartNameOf(release),
      ...driverOf(release),
    };
  },
  done: (context) => {
    const release = found(context);
    const { name, namespace } = release;
    const deployed: Condition = {
      ...{ kind: 'helm-deployed', release: name, namespace, chart: requiredRelease(context).version },
      ...driverOf(release),
    };
    return all(deployed, { kind: 'established', targets: targetsOf(context) });
  },
  undo: (context) => {
    const release = found(context);
    const { name, namespace, revision } = release;
    const chart = chartVersionOf(release);
    const storage = driverOf(release);
    const deployed: Condition = {
      ...{ kind: 'helm-deployed', release: name, namespace, ...(chart === null ? {} : { chart }) },
      ...storage,
    };
    const added = newKinds(context);
    const rollback: Act = { kind: 'helm', verb: 'rollback', release: name, namespace, revision, ...storage };
    return {
      title: `Roll the Helm release ${name}, which holds Calico’s kinds, back to revision ${revision}`,
      act: {
        kind: 'sequence',
        steps: [
          // With `crds` a new kind stays. Helm's rollback deletes kinds that the earlier revision did not have, with all their objects.
          ...(added.length === 0
            ? []
            : [{ act: { kind: 'wait' as const }, done: { kind: 'only-ours-left' as const, within: added } }]),
          { act: rollback, done: deployed },
        ],
      },
      done: deployed,
      phase: 'release',
      usualSeconds: 20,
      deadlineSeconds: 600,
    };
  },
  usualSeconds: 20,
  // Without helm on this machine the user has to run it.
  deadlineSeconds: 3600,
});

function found(context: PlanContext): HelmRelease {
  const release = definitionsByHelm(context);
  if (release === null) throw new Error('No Helm release holds the definitions here.');
  return release;
}

function chartNameOf({ chart }: HelmRelease): string {
  const known = definitionChartOf(chart);
  if (!known) throw new Error('This Helm release is of no chart that Signalbox knows.');
  return known.name;
}

function chartOf(context: PlanContext): string {
  const chart = definitionsChartFor(requiredRelease(context).version, context.choices, chartNameOf(found(context)));
  if (chart === null) throw new Error('The plan names no place of the chart with the definitions.');
  return chart;
}

/** The chart contains the same kinds as the release's file. */
function targetsOf(context: PlanContext): ObjectRef[] {
  return definitionsOf(requiredRelease(context))?.targets ?? [];
}

const newKinds = (context: PlanContext) => targetsOf(context).filter((target) => isMadeHere(context, target));

function ofNewKinds(context: PlanContext): string {
  const added = newKinds(context);
  if (added.length === 0) return '';
  return ` ${counted(added.length, 'kind')} ${agreeing(added.length, 'comes', 'come')} with it (${inList(added.map(({ name }) => name))}): the way back deletes them, once nobody's objects of them are left.`;
}

const isText: Fits = (value) => typeof value === 'string';
