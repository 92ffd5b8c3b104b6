import { findingsInState } from '../open-findings.ts';
import { stepIdsOf } from '../steps.ts';
import type { WizardContext } from '../wizard-context.ts';
import { proofOf } from './row-proof.ts';
import { endpointRow } from './rows/endpoint-row.ts';
import type { FoundRow, Row } from './rows/found-row.ts';
import { optionsRow, poolRow, releaseRow } from './rows/install-rows.ts';
import { kernelRow, nodesRow, overlayRow } from './rows/node-rows.ts';
import { ownersRow, rightsRow } from './rows/ownership-rows.ts';
import { calicoRow, platformRow } from './rows/platform-rows.ts';
import { proxyRow } from './rows/proxy-row.ts';
import { afterwardsRow, changesRow } from './rows/upgrade-rows.ts';

/** What was found of a cluster, in the order in which one looks at it. */
export function foundRows(context: WizardContext): FoundRow[] {
  const isInstall = context.draft.answers.goal === 'install';
  const isStandard = isInstall && context.draft.answers.dataplane === 'Iptables';
  const isUpgrade = context.draft.answers.goal === 'upgrade';
  const steps = stepIdsOf(context.draft.answers);
  const rows: (Row | null)[] = [
    isInstall || isUpgrade ? releaseRow(context) : null,
    isUpgrade ? changesRow(context) : null,
    isUpgrade ? afterwardsRow(context) : null,
    isInstall ? poolRow(context) : null,
    isUpgrade ? null : platformRow(context),
    steps.includes('endpoint') ? endpointRow(context) : null,
    steps.includes('proxy') ? proxyRow(context) : null,
    nodesRow(context),
    isStandard ? null : kernelRow(context),
    isInstall ? null : overlayRow(context),
    isInstall ? null : calicoRow(context),
    ownersRow(context),
    rightsRow(context),
    isUpgrade ? null : optionsRow(context),
  ];
  const found = findingsInState(context.findings);
  return rows
    .filter((row) => row !== null)
    .map(({ checks, good, isCode = false, ...row }) => ({
      ...row,
      isCode,
      proof: proofOf(
        found.filter(({ finding }) => checks.some((id) => finding.id === id)),
        good ?? null,
      ),
    }));
}
