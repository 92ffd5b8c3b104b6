import type { FactKey, Facts } from '#lib/facts/index.ts';
import { type Choices, isHosted } from '#lib/spec/index.ts';
import { type Check, defineCheck, type FollowsFrom, type Result } from '../check.ts';
import type { Remedy } from '../findings.ts';
import { type Address, parseAddress } from '../reading/address.ts';
import { type EffectiveEndpoint, effectiveEndpoint, endpointName } from '../reading/effective-endpoint.ts';
import { bootstrapMode } from '../reading/installation.ts';

type WellFormed = Exclude<Address, { kind: 'malformed' }>;

/** Nobody puts a machine of their own in front of a provider's API servers, and nobody reaches one of these by itself. */
const ofProvider: Remedy = {
  steps: [
    'Choose the name that the provider gives the API server: the command shows it, as your kubeconfig has it.',
    'Check again.',
  ],
  command: "kubectl config view --minify -o jsonpath='{.clusters[0].cluster.server}'",
  fixIn: 'endpoint',
};

/** In place of a remedy that chooses among API servers of one's own, or puts something in front of them; nothing where they are the reader's. */
export function ofProviderWhereHosted({ platform }: Facts, choices: Choices): { remedy?: Remedy } {
  return isHosted(choices.platform ?? platform.kind) ? { remedy: ofProvider } : {};
}

export type EndpointCheck = Omit<RawEndpointCheck, 'evaluate'> & {
  evaluate(endpoint: EffectiveEndpoint, address: WellFormed, facts: Facts, choices: Choices): Result;
};

/**
 * A check of the address itself. In common to all: with `bpfNetworkBootstrap` none is needed; none to judge, or none that can be read, is
 * *unknown*; a proposal that is not accepted can fail but not pass (checks.md › Coverage).
 * `reads` names what is read beside the endpoint; the ConfigMap counts only when the address may come from it.
 */
export function defineEndpointCheck({ evaluate, ...check }: EndpointCheck): Check {
  return defineRawEndpointCheck({
    ...check,
    followsFrom: { 'endpoint.form': 'unknown', ...check.followsFrom },
    evaluate: (endpoint, facts, choices) => {
      const address = parseAddress(endpoint.host);
      if (address.kind !== 'malformed') return evaluate(endpoint, address, facts, choices);
      return { kind: 'unknown', because: `${endpointName(endpoint)} cannot be judged: ${address.because}.` };
    },
  });
}

export type RawEndpointCheck = Omit<Check, 'run'> & {
  evaluate(endpoint: EffectiveEndpoint, facts: Facts, choices: Choices): Result;
  /** Its remedy is another address of the API servers, which a provider has one of. */
  choosesAnother?: true;
};

/** Another address has to be chosen in any case: nothing is worth saying of this one. */
export const ofAnAddressForAll: FollowsFrom = { 'endpoint.not-cluster-ip': 'always', 'endpoint.not-local': 'always' };

/** The same for a check that takes the host and port as they were written. */
export function defineRawEndpointCheck({
  evaluate,
  choosesAnother,
  reads,
  appliesTo,
  ...check
}: RawEndpointCheck): Check {
  return defineCheck({
    ...check,
    // While no address is settled there is nothing to evaluate: one question, not eight.
    followsFrom: { 'endpoint.present': 'unknown', ...check.followsFrom },
    reads: ['endpointConfigMaps', ...reads],
    appliesTo: (facts, choices) =>
      bootstrapMode(facts, choices) === 'off' ? (appliesTo?.(facts, choices) ?? true) : noneNeeded,
    run: (facts, choices) => {
      const endpoint = effectiveEndpoint(facts, choices);
      const result =
        endpoint === null
          ? choices.goal === 'upgrade'
            ? noneWritten
            : noneYet
          : settled(endpoint, reads, evaluate(endpoint, facts, choices));
      return choosesAnother && result.kind !== 'skipped'
        ? { ...ofProviderWhereHosted(facts, choices), ...result }
        : result;
    },
  });
}

/** Follows from a field that was seen or an option that was chosen, so it needs no further coverage. */
export const noneNeeded = {
  because: 'In automatic mode (bpfNetworkBootstrap) the agent finds the API servers by itself: no endpoint is needed.',
  restsOn: [],
} satisfies { because: string; restsOn: readonly FactKey[] };

const noneYet: Result = {
  kind: 'unknown',
  because: 'There is no endpoint to judge yet: choose one first.',
  restsOn: ['endpointConfigMaps'],
};

const noneWritten: Result = {
  kind: 'skipped',
  because: 'There is no endpoint ConfigMap, and an upgrade writes none.',
  restsOn: ['endpointConfigMaps'],
};

function settled(endpoint: EffectiveEndpoint, reads: readonly FactKey[], result: Result): Result {
  if (endpoint.origin === 'proposal' && (result.kind === 'pass' || result.kind === 'unknown')) {
    const soFar = result.kind === 'unknown' ? ` ${result.because}` : '';
    return { kind: 'unknown', because: `${endpointName(endpoint)} is not accepted yet.${soFar}`, restsOn: [] };
  }
  if (result.kind !== 'pass') return result;
  const own = result.restsOn ?? reads;
  return { ...result, restsOn: endpoint.origin === 'chosen' ? own : ['endpointConfigMaps', ...own] };
}
