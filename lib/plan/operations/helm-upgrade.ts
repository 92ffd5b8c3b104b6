import { isRecord } from '#lib/base/records.ts';
import { chartVersion, helmRecordResource, helmSecretName, movedValues, pinnedValues } from '#lib/spec/index.ts';
import { keepHelmRecords, rule } from '../access/rules.ts';
import { all, defineOperation } from '../define-operation.ts';
import { operatorChart } from '../install/helm-charts.ts';
import { operatorNeeds } from '../install/operator-installation.ts';
import { operatorDeployment } from '../objects/object-refs.ts';
import { requiredRelease } from '../objects/release-objects.ts';
import type { PlanContext } from '../operation.ts';
import { operatorRef, ownField, rollout, sequence, stepsOf, undoneBy } from '../pins/parts.ts';
import { either, exactly, type Fits, fits, integer, text } from '../pins/pattern.ts';
import { backAtEarlier, backAtEarlierParts, wayBackToEarlier } from '../upgrade/back-at-earlier.ts';
import { isMovedValue, valuesDiff } from '../upgrade/helm/changed-values.ts';
import { chartFor, chartVersionOf, driverOf, installedByHelm } from '../upgrade/helm/installed-by-helm.ts';
import { valuesSet } from '../upgrade/helm/next-revision.ts';
import { takenOutNeeds } from '../upgrade/written-by-operator.ts';

const aVersion = text(chartVersion);

/** Values that may change: node selectors whose path moved, and releases. Never an arbitrary image. */
const ofChangedValues: Fits = (set) =>
  isRecord(set) &&
  Object.entries(set).every(
    ([path, value]) =>
      movedValues.some(({ to }) => path === to && isMovedValue(value)) ||
      (pinnedValues.some((one) => one.path === path) && aVersion(value)),
  );

/**
 * Upgrades the operator's chart with the user's own helm. The release's values stay in Helm: `--reset-then-reuse-values` merges them into the new
 * chart's, while `--reuse-values` would merge them into the old one's, old operator image included.
 */
export const helmUpgrade = defineOperation({
  id: 'helm.upgrade',
  title: (context) =>
    `Upgrade the Helm release ${installedByHelm(context).name} to the chart ${requiredRelease(context).version}${fromElsewhere(context)}`,
  why: (context) =>
    `Helm put the operator in place, so Helm replaces it by ${requiredRelease(context).operator}: otherwise the next \`helm upgrade\` would bring the old one back. The values of the release stay; those that moved are written at their new place. What the chart holds is compared with no checksum: helm trusts ${chartIn(context)}.`,
  whenPaused:
    'The operator may be of either release; as soon as the new one runs, it updates the nodes one after the other. `helm history` says what Helm holds.',
  // The operator starts at once to replace the agent on each node.
  effect: 'traffic',
  reversible: true,
  appliesTo: () => true,
  mayWrite: ({ act }, choices) => {
    const { release, namespace, driver } = act.kind === 'helm' ? act : { release: '', namespace: '' };
    const storage = driverOf({ driver });
    const deployed = { kind: 'helm-deployed', release, namespace, chart: aVersion, ...storage };
    return {
      step: (step: unknown) =>
        fits(step, {
          act: {
            kind: 'helm',
            verb: 'upgrade',
            release,
            namespace,
            chart: exactly(chartFor(String(ownField(ownField(step, 'act'), 'version')), choices)),
            version: aVersion,
            set: ofChangedValues,
            values: 'reset-then-reuse',
            ...storage,
          },
          done: {
            kind: 'all',
            of: [{ ...deployed, chart: exactly(ownField(ownField(step, 'act'), 'version')) }, rollout(operatorRef)],
          },
        }),
      undo: undoneBy('release', (step) =>
        fits(step, {
          act: sequence(
            {
              act: { kind: 'helm', verb: 'rollback', release, namespace, revision: integer(1, 1_000_000), ...storage },
              done: either(deployed, { kind: 'all', of: [deployed, rollout(operatorRef)] }),
            },
            ...backAtEarlierParts,
          ),
          done: exactly(all(...stepsOf(ownField(step, 'act')).map((one) => ownField(one, 'done') as never))),
        }),
      ),
    };
  },
  needs: (scope) => [
    ...operatorNeeds(scope.operatorNamespace),
    ...keepHelmRecords(scope.helmRecords, scope.operatorNamespace),
    ...scope.customResources.flatMap(({ resource, name }) => [
      rule(resource, ['create']),
      rule(resource, ['get', 'patch', 'delete'], { names: [name] }),
    ]),
    // For the way back: fields that the new operator wrote by itself.
    ...takenOutNeeds(scope),
  ],
  // The revision that was read must still be deployed: otherwise this upgrade's values would revert somebody else's change.
  reads: (context) => {
    const { name, namespace, revision, driver } = installedByHelm(context);
    const target = { resource: helmRecordResource(driver), namespace, name: helmSecretName(name, revision) };
    return [{ target, expected: [{ path: ['metadata', 'labels', 'status'], equals: 'deployed' }] }];
  },
  act: (context) => {
    const found = installedByHelm(context);
    const { name: release, namespace } = found;
    const { version } = requiredRelease(context);
    return {
      kind: 'helm',
      verb: 'upgrade',
      release,
      namespace,
      chart: chartIn(context),
      version,
      set: valuesSet(context),
      values: 'reset-then-reuse',
      ...driverOf(found),
    };
  },
  done: (context) => {
    const found = installedByHelm(context);
    const { name: release, namespace } = found;
    const { version } = requiredRelease(context);
    return all(
      { kind: 'helm-deployed', release, namespace, chart: version, ...driverOf(found) },
      { kind: 'rollout', target: operatorDeployment(context) },
    );
  },
  changes: (context) => {
    const { name, namespace, values, chart } = installedByHelm(context);
    return valuesDiff(values ?? {}, valuesSet(context), {
      old: `Helm release ${namespace}/${name}, chart ${chart}`,
      next: `Helm release ${namespace}/${name}, chart tigera-operator-${requiredRelease(context).version}${fromElsewhere(context)}`,
    });
  },
  undo: (context) => {
    const found = installedByHelm(context);
    const { name: release, namespace, revision } = found;
    const chart = chartVersionOf(found);
    const storage = driverOf(found);
    const deployed = {
      kind: 'helm-deployed' as const,
      release,
      namespace,
      ...(chart === null ? {} : { chart }),
      ...storage,
    };
    const rolledBack = {
      act: { kind: 'helm' as const, verb: 'rollback' as const, release, namespace, revision, ...storage },
      done: all(deployed, { kind: 'rollout', target: operatorDeployment(context) }),
    };
    return wayBackToEarlier(context, {
      title: `Roll the Helm release ${release} back to revision ${revision}`,
      steps: [rolledBack, ...backAtEarlier(context)],
      besideSeconds: 90,
    });
  },
  usualSeconds: 60,
  // Without helm on this machine the user has to run it.
  deadlineSeconds: 3600,
});

const chartIn = (context: PlanContext) => chartFor(requiredRelease(context).version, context.choices);

/** Names the chart if it is not the public one. */
const fromElsewhere = (context: PlanContext) => (chartIn(context) === operatorChart ? '' : ` from ${chartIn(context)}`);
