import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { factKeys } from '#lib/facts/index.ts';
import { wizardQuestions } from '#lib/spec/index.ts';
import { checks } from './checks.ts';
import { groups } from './findings.ts';
import { catalogueFixes } from './testing/fixes.ts';

/** checks.md, in its order: id, severity of the check before a result changes it, goals. Ids and meanings are a public contract. */
const catalogue: readonly (readonly [string, string, string])[] = [
  ['platform.supported', 'blocking', 'ie'],
  ['platform.proxy-cannot-be-disabled', 'warning', 'ie'],
  ['platform.kubernetes-version', 'warning', 'iu'],
  ['platform.eks-auto-mode', 'blocking', 'ie'],
  ['permissions.plan', 'blocking', 'ieurs'],
  ['api.aggregated-available', 'warning', 'eu'],
  ['webhooks.can-deadlock', 'warning', 'ieu'],
  ['managed-by.reconciler', 'blocking', 'ieus'],
  ['managed-by.helm', 'blocking', 'ieu'],
  ['endpoint.present', 'blocking', 'ie'],
  ['endpoint.not-cluster-ip', 'blocking', 'ie'],
  ['endpoint.not-local', 'blocking', 'ie'],
  ['endpoint.stable', 'warning', 'ie'],
  ['endpoint.form', 'blocking', 'ie'],
  ['endpoint.resolvable', 'warning', 'ie'],
  ['endpoint.certificate', 'blocking', 'ie'],
  ['endpoint.reachable', 'blocking', 'ie'],
  ['endpoint.namespace', 'blocking', 'ie'],
  ['endpoint.in-use', 'warning', 'eu'],
  ['endpoint.bootstrap-exclusive', 'blocking', 'ie'],
  ['operator.dns-deadlock', 'blocking', 'ieu'],
  ['endpoint.kube-vip', 'warning', 'ie'],
  ['proxy.detected', 'warning', 'ie'],
  ['proxy.not-ipvs', 'blocking', 'ie'],
  ['proxy.no-double-management', 'blocking', 'ie'],
  ['proxy.health-port', 'warning', 'ie'],
  ['proxy.comes-back', 'warning', 'ie'],
  ['proxy.gone-without-bpf', 'blocking', 'eurs'],
  ['proxy.can-come-back', 'blocking', 'r'],
  ['node.architecture', 'blocking', 'ie'],
  ['node.kernel', 'blocking', 'ie'],
  ['node.kernel-flavour', 'blocking', 'ie'],
  ['node.below-advice', 'info', 'ie'],
  ['node.distribution', 'blocking', 'ie'],
  ['node.linux-only', 'blocking', 'ie'],
  ['node.mixed-dataplane', 'blocking', 'ieu'],
  ['node.cgroup-path', 'warning', 'ie'],
  ['node.flexvolume-path', 'blocking', 'ie'],
  ['node.ready', 'blocking', 'ieu'],
  ['node.kernel-known-bad', 'blocking', 'ieu'],
  ['image.pullable', 'blocking', 'ieu'],
  ['node.bpf-loads', 'blocking', 'ie'],
  ['node.mounts', 'blocking', 'ie'],
  ['node.interfaces', 'warning', 'ie'],
  ['network.vxlan-between-nodes', 'blocking', 'ie'],
  ['network.overlay-choice', 'warning', 'ie'],
  ['network.mtu', 'warning', 'ie'],
  ['network.dsr-fabric', 'warning', 'ie'],
  ['network.offload', 'warning', 'u'],
  ['network.services-answer', 'warning', 'eu'],
  ['network.vxlan-port', 'warning', 'eu'],
  ['network.other-product', 'blocking', 'ie'],
  ['feature.floating-ips', 'blocking', 'ie'],
  ['feature.sctp', 'blocking', 'ie'],
  ['feature.log-action', 'warning', 'ie'],
  ['feature.vlan-devices', 'warning', 'ie'],
  ['feature.l7-logs', 'blocking', 'ie'],
  ['feature.application-layer-policy', 'blocking', 'ie'],
  ['feature.waf', 'blocking', 'ie'],
  ['feature.host-ports', 'warning', 'ie'],
  ['feature.traffic-limits', 'warning', 'ie'],
  ['feature.endpoint-to-host', 'warning', 'e'],
  ['feature.node-local-dns', 'blocking', 'ie'],
  ['feature.service-mesh', 'warning', 'ie'],
  ['feature.source-ranges', 'warning', 'ie'],
  ['feature.admin-network-policy', 'blocking', 'u'],
  ['feature.cloud-lb-health', 'blocking', 'e'],
  ['install.nothing-there', 'blocking', 'i'],
  ['install.half-finished', 'info', 'i'],
  ['install.method-known', 'blocking', 'eu'],
  ['enable.operator-needed', 'blocking', 'e'],
  ['install.status-healthy', 'blocking', 'eu'],
  ['install.enterprise', 'warning', 'ieu'],
  ['install.non-privileged', 'blocking', 'ie'],
  ['install.felix-annotation', 'blocking', 'e'],
  ['install.imageset', 'blocking', 'u'],
  ['upgrade.path', 'blocking', 'u'],
  ['upgrade.crd-behind', 'info', 'u'],
  ['upgrade.crd-client-side-applied', 'info', 'u'],
  ['upgrade.field-conflicts', 'warning', 'u'],
  ['upgrade.owner-references', 'blocking', 'u'],
  ['upgrade.cli-version', 'warning', 'u'],
  ['upgrade.manual-changes', 'warning', 'u'],
  ['upgrade.registry-moved', 'warning', 'u'],
  ['upgrade.rollout', 'warning', 'u'],
  ['upgrade.policy-names', 'warning', 'u'],
  ['upgrade.host-endpoints', 'warning', 'u'],
  ['upgrade.allow-all-upgrade', 'warning', 'u'],
  ['upgrade.sidecars', 'info', 'u'],
  ['upgrade.helm-pending', 'blocking', 'u'],
  ['upgrade.recommend-move', 'info', 'u'],
];

/**
 * A blocking finding is never waved through, so each has a way out: the plan's fix, an answer, a command, or what the reader does by hand to what is
 * theirs. Where nothing of that ends it, the remedy says who can.
 */
const waysOut: Readonly<Record<string, RegExp>> = {
  // Another cluster.
  'platform.supported': /^Move the workloads to a cluster on a platform/m,
  'permissions.plan': /^(?:Ask|Let) (?:somebody|an administrator)/m,
  // Nodes of the reader.
  'node.ready': /^Fix these nodes/,
  'node.architecture': /^Remove these nodes/,
  'node.kernel': /^Upgrade the kernel of these nodes/,
  'node.kernel-known-bad': /^Upgrade/,
  'node.distribution': /^Upgrade the distribution of these nodes/,
  'node.linux-only': /^Keep the standard data plane/,
  // Workloads, policies and tools of the reader.
  'feature.sctp': /^Move these Services and rules/,
  'feature.floating-ips': /^Give the pods a Service/,
  'feature.l7-logs': /^\w+/,
  'feature.application-layer-policy': /^Replace them by rules about addresses/,
  'feature.waf': /^\w+/,
  'feature.admin-network-policy': /^\w+/,
  'feature.cloud-lb-health': /^Upgrade Calico/,
  'network.other-product': /^Remove the other product/,
  'managed-by.reconciler': /^Pause the tool/,
  'managed-by.helm': /^Let the plan make the switch through Helm/,
  'upgrade.helm-pending': /roll back to the last revision/,
  'upgrade.owner-references': /^Before the upgrade, remove the owner references/,
};

const letters: Record<string, string> = { install: 'i', enable: 'e', upgrade: 'u', undo: 'r', restore: 's' };

test('the registry is the catalogue', () => {
  const registered = checks.map(({ id, severity, goals }) => [
    id,
    severity,
    goals.map((goal) => letters[goal]).join(''),
  ]);
  expect(registered).toEqual(catalogue);
});

test('each check has a file and a table test named after it', () => {
  const files = new Set(
    readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).map((path) => basename(path)),
  );
  for (const { id } of checks) {
    const name = id.replaceAll('.', '-');
    expect(files).toContain(`${name}.ts`);
    expect(files).toContain(`${name}.test.ts`);
  }
});

/** What to do in sight; what explains it stands behind *Why?* (`details`). */
const mostStepWords = 40;
const meanStepWords = 20;
const wordsOf = (texts: readonly string[]) => texts.join(' ').split(' ').length;

test('a remedy has few words', () => {
  const counts = checks.map(({ remedy }) => wordsOf(remedy.steps.filter((step) => step !== 'Check again.')));
  expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).toBeLessThanOrEqual(meanStepWords);
});

/** Phrases that once puzzled readers, and were replaced: by fix, silently, restarts again and again, otherwise, stops, existing, still. */
const riddles =
  /\brepair|\b(?:for|without) (?:ever|saying so)\b|\bnothing says so\b|\bwithout a word\b|^Else\b|\bgo(?:es)? on \w+ing\b|\b(?:all the same|stands? still|carr(?:y|ies) nothing out|go(?:es)? (?:past|wrong)|made anew|set back|whoever|dial(?:s|led|ling)?)\b|\bat the moment of the switch\b|\btake\b.*\bout of the cluster\b|\bis what\b.*\bis\b/i;

test.each(checks.map((check) => [check.id, check] as const))(
  '%s is written as a colleague would say it',
  (_id, check) => {
    const { title, gap, topic, ifIgnored, consequence, remedy, source, group, reads } = check;
    expect(title).toMatch(/^[A-Z][^.]*[^.\s]$|^eBPF [^.]*[^.\s]$/);
    expect(consequence).toMatch(/^(?:[A-Z]|eBPF ).*\.$/);
    expect(remedy.steps.length).toBeGreaterThan(0);
    for (const step of [...remedy.steps, ...(remedy.details ?? [])]) expect(step).toMatch(/^[A-Z`].*\.$/);
    expect(wordsOf(remedy.steps.filter((step) => step !== 'Check again.'))).toBeLessThanOrEqual(mostStepWords);
    expect(gap).toMatch(/^[A-Z][^.]*[^.\s]$|^(?:eBPF|bpfEnabled|calicoctl|kube-vip) [^.]*[^.\s]$/);
    expect(topic).toMatch(/^(?:[A-Z]|bpf|cal|kube-)[^.:]*[^.\s]$/);
    for (const text of [title, gap, topic]) expect(text).not.toMatch(/^(?:Whether|What|That|How|If)\b/);
    expect(gap.length).toBeLessThanOrEqual(60);
    expect(topic.length).toBeLessThanOrEqual(45);
    expect(ifIgnored).toMatch(/^[A-Z][^.]*[^.\s]$|^(?:eBPF|calicoctl) [^.]*[^.\s]$/);
    expect(ifIgnored.length).toBeLessThanOrEqual(44);
    expect(ifIgnored.split(' ').length).toBeLessThanOrEqual(8);
    for (const text of [title, gap, topic, ifIgnored, consequence, ...remedy.steps, ...(remedy.details ?? [])]) {
      expect(text).not.toMatch(/!|\boops\b|\bsuccessfully\b|\bplease\b|\bsimply\b|\s{2}|\s[.,;:]|’|“/i);
      expect(text).not.toMatch(riddles);
      expect(text.length).toBeLessThan(260);
    }
    expect(source).toMatch(/^(?:spec|pain|calico|checks|operations)\b/);
    expect(groups).toContain(group);
    for (const key of reads) expect(factKeys).toContain(key);
    if (remedy.fixIn !== undefined) expect(wizardQuestions).toContain(remedy.fixIn);
    if (remedy.autofix !== undefined) expect(catalogueFixes).toContain(remedy.autofix);
  },
);

test.each(checks.filter(({ severity }) => severity === 'blocking').map((check) => [check.id, check] as const))(
  '%s ends: by a fix, an answer, a command, or somebody who is named',
  (id, { remedy }) => {
    const way = waysOut[id];
    if (way) expect(remedy.steps.join('\n')).toMatch(way);
    else expect(remedy.autofix ?? remedy.fixIn ?? remedy.command).toBeDefined();
  },
);

test('at run time checks load lib/base, lib/spec, lib/text, lib/installation and zod, and nothing that could reach a cluster', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /(?<!\.test)\.ts$/.test(name) && !name.includes('testing/'))) {
    const text = readFileSync(`${import.meta.dirname}/${file}`, 'utf8');
    const imports = [...text.matchAll(/^(?:import|export) (type )?[^;]*?from '([^']+)';/gms)];
    for (const [, typeOnly, from] of imports) {
      const allowed = typeOnly
        ? /^(?:\.{1,2}\/|#lib\/base\/|#lib\/(?:facts|installation|spec|text)\/index\.ts$|zod$)/
        : /^(?:\.{1,2}\/|#lib\/base\/|#lib\/(?:installation|spec|text)\/index\.ts$|zod$|node:net$)/;
      expect(`${file} ${allowed.test(from ?? '') ? 'imports what it may' : `imports ${from}`}`).toBe(
        `${file} imports what it may`,
      );
    }
  }
});
