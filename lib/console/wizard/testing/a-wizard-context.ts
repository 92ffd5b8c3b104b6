import { effectiveEndpoint, runChecks } from '#lib/checks/index.ts';
import { aFacts, type Overrides, someChoices } from '#lib/checks/testing/a-facts.ts';
import type { Facts } from '#lib/facts/index.ts';
import { makePlan, PlanError, proxyRemoval, upgradeAfterwards } from '#lib/plan/index.ts';
import { type Choices, platformGuides, platformIn, platformOf, platforms, releaseAtLeast } from '#lib/spec/index.ts';
import { flagsByProgram } from '#lib/text/index.ts';
import type { ReleaseStepData } from '../../host.ts';
import type { StepId } from '../answers.ts';
import type { InstallationStepData } from '../installation-step-data.ts';
import type { WizardContext } from '../wizard-context.ts';

const at = '2026-11-21T10:00:00.000Z';

/** A healthy kubeadm cluster with a chosen address, with findings and plan from the real engine. */
export function aWizardContext(
  overrides: {
    facts?: Overrides<Facts>;
    choices?: Partial<Choices>;
    answered?: StepId[];
    automaticCannot?: string;
    release?: ReleaseStepData;
    installation?: InstallationStepData;
  } = {},
): WizardContext {
  const facts = aFacts(overrides.facts);
  const choices = someChoices(overrides.choices);
  const findings = runChecks(facts, choices, { now: at });
  const { operatorVersion } = facts.installation;
  return {
    draft: {
      id: 'draft-000000000001',
      cluster: 'prod-00000001',
      revision: 1,
      answers: choices,
      answered: overrides.answered ?? [],
      acceptedAt: {},
      name: null,
      createdAt: at,
      updatedAt: at,
      run: null,
    },
    facts,
    findings,
    flags: flagsByProgram({ context: 'prod' }),
    platform: platformOf({ facts, choices }),
    platforms: Object.values(platforms),
    guides: platformGuides.filter(({ kind }) => kind === platformIn(facts, choices)),
    automaticCannot: overrides.automaticCannot ?? null,
    release: overrides.release ?? null,
    installation: overrides.installation ?? null,
    changes: null,
    afterwards: choices.goal === 'upgrade' ? upgradeAfterwards({ facts, choices }) : null,
    way: null,
    endpoint: effectiveEndpoint(facts, choices),
    proxy: {
      now: proxyRemoval({ facts, choices }),
      off: proxyRemoval({ facts, choices: { ...choices, keepProxy: undefined } }),
    },
    operatorManagesProxy: operatorVersion === null ? 'undecided' : releaseAtLeast(operatorVersion, '1.40.0'),
    plan: planOf(facts, choices, findings),
  };
}

function planOf(facts: Facts, choices: Choices, findings: WizardContext['findings']): WizardContext['plan'] {
  try {
    return { kind: 'made', operations: makePlan({ facts, choices, findings, now: at }).operations };
  } catch (error) {
    if (error instanceof PlanError) return { kind: 'none', problem: error.message };
    throw error;
  }
}
