import type { FactKey, Facts } from '#lib/facts/index.ts';
import { type Choices, isHosted, platformIn } from '#lib/spec/index.ts';
import { type Check, defineCheck, type FollowsFrom, type Result } from '../check.ts';
import type { Remedy } from '../findings.ts';
import { type EffectiveEndpoint, effectiveEndpoint, endpointName } from '../reading/effective-endpoint.ts';
import { type EndpointHost, parseEndpointHost } from '../reading/endpoint-host.ts';
import { bootstrapMode } from '../reading/installation.ts';

type WellFormed = Exclude<EndpointHost, { kind: 'malformed' }>;

/** On hosted services: API servers are reached only by the provider's name for them. */
const ofProvider: Remedy = {
  steps: [
    'Choose the name that the provider gives the API server: the command shows it, as your kubeconfig has it.',
    'Check again.',
  ],
  command: "kubectl config view --minify -o jsonpath='{.clusters[0].cluster.server}'",
  fixIn: 'endpoint',
};

/** That remedy on hosted services, in place of one that chooses among API servers or puts a load balancer before them; else nothing. */
export function ofProviderWhereHosted({ platform }: Facts, choices: Choices): { remedy?: Remedy } {
  return isHosted(platformIn({ platform }, choices)) ? { remedy: ofProvider } : {};
}

export type EndpointCheck = Omit<RawEndpointCheck, 'evaluate'> & {
  evaluate(endpoint: EffectiveEndpoint, address: WellFormed, facts: Facts, choices: Choices): Result;
};

/**
 * Defines a check of the endpoint's address. All of these are skipped with `bpfNetworkBootstrap`, which needs no address; without an address, or with one
 * that cannot be parsed, they are *unknown*; a proposal that is not accepted can fail but not pass (checks.md › Coverage). `reads`: facts beside the
 * endpoint; the ConfigMap is needed only if the address may come from it.
 */
export function defineEndpointCheck({ evaluate, ...check }: EndpointCheck): Check {
  return defineRawEndpointCheck({
    ...check,
    followsFrom: { 'endpoint.form': 'unknown', ...check.followsFrom },
    evaluate: (endpoint, facts, choices) => {
      const address = parseEndpointHost(endpoint.host);
      if (address.kind !== 'malformed') return evaluate(endpoint, address, facts, choices);
      return { kind: 'unknown', because: `${endpointName(endpoint)} cannot be judged: ${address.because}.` };
    },
  });
}

export type RawEndpointCheck = Omit<Check, 'run'> & {
  evaluate(endpoint: EffectiveEndpoint, facts: Facts, choices: Choices): Result;
  /** The check's remedy is another address, which hosted services do not have. */
  choosesAnother?: true;
};

/** For checks that do not matter while another address must be chosen anyway. */
export const ofAnAddressForAll: FollowsFrom = { 'endpoint.not-cluster-ip': 'always', 'endpoint.not-local': 'always' };

/** Defines a check that takes host and port of the endpoint as they were written, unparsed. */
export function defineRawEndpointCheck({
  evaluate,
  choosesAnother,
  reads,
  appliesTo,
  ...check
}: RawEndpointCheck): Check {
  return defineCheck({
    ...check,
    // Without an address `endpoint.present` alone asks for one; the checks of the address follow from it.
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

/** The reason to skip in automatic mode. It needs no coverage, as a field that was read or an answer shows the mode. */
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
