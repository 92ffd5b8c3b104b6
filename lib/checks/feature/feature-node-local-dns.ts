import { asCidr, isInCidr } from '#lib/base/ip.ts';
import type { Evidence, Facts, NodeLocalDnsCache, Subject } from '#lib/facts/index.ts';
import { names, releaseAtLeast } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { defineCheck } from '../check.ts';
import type { Remedy } from '../findings.ts';
import { felixEvidence, felixField, patchFelix } from '../reading/felix.ts';
import { kubectlArguments, objectSubject } from '../reading/object-subject.ts';
import { namesOf } from '../reading/subject-names.ts';
import { releaseName, targetRelease } from '../reading/target-release.ts';
import { listed } from '../wording/sentences.ts';

type Service = NodeLocalDnsCache['services'][number];
type Verdict = { cache: Subject; service: Service; detail: string };

/** Gate V16. */
const annotationReadFrom = 'v3.28.0';
/** RN v3.27.2 (projectcalico/calico#8473): the backport of projectcalico/calico#8338 to v3.27. */
const cidrsReadFrom = 'v3.27.2';

const annotation = names.natExcludeAnnotation;
const cidrsField = 'bpfExcludeCIDRsFromNAT';

/**
 * eBPF must leave alone exactly the Services whose address a cache binds. A cache that binds only a link-local address replaces no Service, and the
 * Service to which it forwards stops answering if it is left out (pain E2, calico#4689, calico#8546).
 */
export const featureNodeLocalDns = defineCheck({
  id: 'feature.node-local-dns',
  group: 'Features',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['nodeLocalDns', 'installation'],
  title: 'eBPF does not bypass a DNS cache on the nodes',
  gap: 'eBPF would bypass the DNS cache on each node',
  topic: 'DNS cache on each node',
  ifIgnored: 'Names may stop resolving',
  consequence:
    'Where the cache binds the address of the DNS Service, eBPF translates that address before the cache sees the query. The cache gets no queries, or CoreDNS and the cache ask each other in a loop and names stop resolving.',
  remedy: {
    steps: [`Add the fix to the plan: it marks that Service with ${annotation} before the switch.`, 'Check again.'],
    autofix: 'service.nat-exclude',
  },
  source: 'pain E2',
  run: (facts, choices) => {
    const { nodeLocalDns, nodeLocalDnsCaches } = facts.features;
    if (nodeLocalDns.length === 0) {
      return { kind: 'pass', because: 'No NodeLocal DNSCache runs here.', restsOn: ['nodeLocalDns'] };
    }
    const caches = nodeLocalDns.map((subject) => ({
      subject,
      cache: nodeLocalDnsCaches.find(({ object }) => object === `${subject.namespace}/DaemonSet/${subject.name}`),
    }));
    const uses = caches.flatMap(({ subject, cache }) =>
      (cache?.services ?? []).map((service): Verdict => ({ cache: subject, service, detail: '' })),
    );
    const evidence = [
      ...caches.flatMap(({ cache }) => cache?.evidence ?? []),
      ...uses.flatMap((use) => marksOf(use, facts)),
    ];

    const loops = uses.filter(({ service }) => service.bound && service.asked);
    if (loops.length > 0) {
      const services = serviceNames(loops);
      return {
        kind: 'fail',
        because: `NodeLocal DNSCache (${cacheNames(loops)}) binds the address of Service ${services} and forwards to it as well: it asks itself.`,
        subjects: subjectsOf(loops, 'binds and asks'),
        remedy: {
          steps: [
            "Let the cache forward to a Service of its own in front of CoreDNS (kube-dns-upstream in Kubernetes' manifest), or bind only a link-local address.",
            'Check again.',
          ],
        },
        evidence,
      };
    }

    const unanswered = uses.filter(({ service }) => service.asked && (service.isAnnotated || service.isInCidrs));
    if (unanswered.length > 0) {
      return {
        kind: 'fail',
        because: `NodeLocal DNSCache (${cacheNames(unanswered)}) forwards to Service ${serviceNames(unanswered)}, which is left out of eBPF: after the switch its address no longer answers.`,
        subjects: subjectsOf(unanswered, 'asks'),
        remedy: includeAgain(unanswered, uses, felixCidrs(facts)),
        evidence,
      };
    }

    const bound = uses.filter(({ service }) => service.bound);
    const release = targetRelease(facts, choices);
    const readsAnnotation = release === null ? 'undecided' : releaseAtLeast(release, annotationReadFrom);
    const open = bound.filter(
      ({ service: { isAnnotated, isInCidrs } }) => !isInCidrs && (!isAnnotated || readsAnnotation === 'no'),
    );
    if (open.length > 0) {
      const isOlder = readsAnnotation === 'no';
      return {
        kind: 'fail',
        because: isOlder
          ? `NodeLocal DNSCache (${cacheNames(open)}) binds the address of Service ${serviceNames(open)}, and ${releaseName(release)} does not read the annotation for it; that came with ${annotationReadFrom}.`
          : `NodeLocal DNSCache (${cacheNames(open)}) binds the address of Service ${serviceNames(open)}, which eBPF would translate.`,
        subjects: subjectsOf(open, 'binds'),
        remedy: isOlder ? olderRemedy(open, release, felixCidrs(facts)) : featureNodeLocalDns.remedy,
        evidence,
      };
    }

    const unread = caches.filter(({ cache }) => !cache?.binds).map(({ subject }) => subject);
    if (unread.length > 0) {
      return {
        kind: 'unknown',
        because: `Not verified which addresses NodeLocal DNSCache (${namesOf(unread)}) binds: it has no -localip that could be read, and its Corefile was not found.`,
        subjects: unread,
        remedy: {
          steps: [
            `Look which addresses it binds. Where one of them is the address of a Service, mark that Service with ${annotation}: "true"; a link-local address needs nothing.`,
            'Accept this finding once it is so.',
          ],
          command: unread
            .map(
              ({ namespace, name }) =>
                `kubectl get daemonset -n ${shellWord(namespace ?? '')} ${shellWord(name)} -o yaml`,
            )
            .join('\n'),
        },
        evidence,
      };
    }
    const byAnnotation = bound.filter(({ service }) => service.isAnnotated && !service.isInCidrs);
    if (byAnnotation.length > 0 && readsAnnotation === 'undecided') {
      return {
        kind: 'unknown',
        because: `Service ${serviceNames(byAnnotation)} carries the annotation, which is read from ${annotationReadFrom} on, and the release was not read.`,
        evidence,
      };
    }
    if (bound.length === 0) {
      const addresses = [...new Set(caches.flatMap(({ cache }) => cache?.binds ?? []))];
      return {
        kind: 'pass',
        because: `NodeLocal DNSCache binds ${listed(addresses)}, which is not an address of a Service: there is nothing to leave out.`,
        evidence,
        restsOn: ['nodeLocalDns'],
      };
    }
    return { kind: 'pass', because: `Service ${serviceNames(bound)} is left out of eBPF for the cache.`, evidence };
  },
});

function marksOf({ service: { object, isAnnotated, isInCidrs } }: Verdict, facts: Facts): Evidence[] {
  const path = `metadata.annotations['${annotation}']`;
  return [
    ...(isInCidrs ? [felixEvidence(facts, cidrsField)] : []),
    ...(isAnnotated || !isInCidrs ? [{ object, path, value: isAnnotated ? 'true' : null }] : []),
  ];
}

function serviceNames(verdicts: readonly Verdict[]): string {
  return listed([
    ...new Set(
      verdicts.map(({ service }) => {
        const { namespace, name } = objectSubject(service.object);
        return `${namespace}/${name}`;
      }),
    ),
  ]);
}

const cacheNames = (verdicts: readonly Verdict[]) => namesOf([...new Set(verdicts.map(({ cache }) => cache))]);

/** The cache, with its image in the detail, and the Service that it is about. */
function subjectsOf(verdicts: readonly Verdict[], does: string): Subject[] {
  return [
    ...new Set(verdicts.map(({ cache }) => cache)),
    ...verdicts.map(({ service }) => ({
      ...objectSubject(service.object),
      detail: `${service.addresses.join(', ')}, which the cache ${does}`,
    })),
  ];
}

function felixCidrs(facts: Facts): string[] {
  const value = felixField(facts, cidrsField);
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

/** Ranges to remove, whole, because they contain an address of these Services. An address in such a range that a cache binds is excluded by itself. */
function includeAgain(open: readonly Verdict[], uses: readonly Verdict[], cidrs: readonly string[]): Remedy {
  const unanswered = open.flatMap(({ service }) => service.addresses);
  const taken = cidrs.filter((cidr) => unanswered.some((address) => holds(cidr, address)));
  const wide = taken.filter((cidr) => !unanswered.some((address) => asCidr(cidr) === asCidr(address)));
  const bound = uses.flatMap(({ service }) => (service.bound && !service.asked ? service.addresses : []));
  const stillExcluded = bound.filter((address) => taken.some((cidr) => holds(cidr, address))).map(asCidr);
  const annotated = open.flatMap(({ service }) => (service.isAnnotated ? [service.object] : []));
  return {
    steps: [
      'Let eBPF translate this Service again: the cache does not stand in for it.',
      ...(wide.length > 0
        ? [`The command takes out ${listed(wide)} whole: add the parts of it that are to stay left out.`]
        : []),
      'Check again.',
    ],
    command: [
      ...[...new Set(annotated)].map((id) => `kubectl annotate ${kubectlArguments(id, shellWord)} ${annotation}-`),
      ...(taken.length > 0
        ? [patchCidrs([...new Set([...cidrs.filter((one) => !taken.includes(one)), ...stillExcluded])])]
        : []),
    ].join('\n'),
  };
}

function holds(cidr: string, address: string): boolean {
  return isInCidr(address, asCidr(cidr));
}

function patchCidrs(cidrs: readonly string[]): string {
  return patchFelix({ [cidrsField]: cidrs });
}

/** For releases that do not read the annotation: exclude ranges, if the release can. */
function olderRemedy(open: readonly Verdict[], release: string | null, cidrs: readonly string[]): Remedy {
  if (release !== null && releaseAtLeast(release, cidrsReadFrom) === 'yes') {
    const own = open.flatMap(({ service }) => service.addresses.map(asCidr));
    return {
      steps: [`Leave the Service's address out of eBPF with ${cidrsField}.`, 'Check again.'],
      command: patchCidrs([...new Set([...cidrs, ...own])]),
    };
  }
  return {
    steps: [
      `Upgrade Calico to ${annotationReadFrom} or later first, or take the DNS cache off the nodes.`,
      'Check again.',
    ],
  };
}
