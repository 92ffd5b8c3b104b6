import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Plan } from './plan.ts';
import { planAsShell } from './plan-as-shell.ts';
import { aPlan, ids, object, someFindings } from './testing/a-cluster.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plan-as-shell-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Answers what a cluster would once everything went well, and writes down what it was asked, one call a line. */
const fakeKubectl = `#!/bin/sh
{ printf '%s' "\${0##*/}"; for word in "$@"; do printf '\\t%s' "$word"; done; printf '\\n'; } >> "$CALLS"
case "$*" in
  *metadata.uid*) printf '%s' "$CLUSTER_UID" ;;
  *KUBERNETES_SERVICE_HOST*) printf '%s' "$ENDPOINT" ;;
  *spec.bpfEnabled*) printf true ;;
  *calicoVersion*) printf v3.31.4 ;;
  *desiredNumberScheduled*) printf 0 ;;
  *'get pods'*'k8s-app=calico-node'*) echo pod/calico-node-a; echo pod/calico-node-b ;;
  logs*) echo 'BPF enabled, starting BPF endpoint manager and map manager.' ;;
  *'-o yaml'*) echo 'kind: Any' ;;
esac
`;

function run(plan: Plan, env: Record<string, string> = {}) {
  const calls = join(folder, 'calls');
  writeFileSync(calls, '');
  for (const program of ['kubectl', 'helm']) {
    writeFileSync(join(folder, program), fakeKubectl);
    chmodSync(join(folder, program), 0o755);
  }
  const script = join(folder, 'plan.sh');
  writeFileSync(script, planAsShell(plan));
  const result = spawnSync('sh', [script], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 20_000,
    input: '',
    env: { PATH: `${folder}:/usr/bin:/bin`, CALLS: calls, CLUSTER_UID: 'cluster-uid', ENDPOINT: '10.0.0.100', ...env },
  });
  return {
    ...result,
    calls: readFileSync(calls, 'utf8')
      .trimEnd()
      .split('\n')
      .map((text) => text.split('\t')),
  };
}

test('the script runs from the first to the last line, each change in the order of the plan', () => {
  const { status, stderr, stdout, calls } = run(aPlan());
  expect(stderr).toBe('Not measured here: ClusterIPs, DNS and NodePorts from a pod on every node.\n');
  expect(status).toBe(0);
  expect(stdout).toContain('Done.');
  const writes = calls.filter(([, verb = '']) => ['patch', 'create', 'apply', 'delete'].includes(verb));
  expect(writes.map(([, verb, what]) => `${verb} ${what}`)).toEqual([
    'create configmap',
    'patch deployments.apps/tigera-operator',
    'patch felixconfigurations.crd.projectcalico.org/default',
    'patch installations.operator.tigera.io/default',
    'patch daemonsets.apps/kube-proxy',
    'patch felixconfigurations.crd.projectcalico.org/default',
  ]);
  expect(calls).toContainEqual([
    'kubectl',
    'patch',
    'installations.operator.tigera.io/default',
    '--type=merge',
    '-p',
    '{"spec":{"calicoNetwork":{"linuxDataplane":"BPF","hostPorts":null}}}',
  ]);
  expect(readFileSync(join(folder, 'signalbox-before.yaml'), 'utf8')).toContain('kind: Any');
});

test('every variant of the journey is valid shell', () => {
  const helm = {
    name: 'calico',
    namespace: 'tigera-operator',
    chart: null,
    revision: 1,
    status: 'deployed',
    values: { installation: { calicoNetwork: { linuxDataplane: 'Iptables' } } },
  };
  const plans = [
    aPlan({}, { dsr: true, forgetKubeadmProxy: true, fix: ['operator.dns-deadlock', 'feature.node-local-dns'] }),
    aPlan({ platform: { kind: 'k3s' }, proxy: { kind: 'embedded' } }),
    aPlan({ platform: { kind: 'openshift' }, proxy: { kind: 'openshift' } }),
    aPlan({ proxy: { mode: 'ipvs' } }, { fix: ['proxy.not-ipvs'] }),
    aPlan({}, { set: { 'calicoNetwork.kubeProxyManagement': 'Enabled', registry: "o'clock/" } }),
    aPlan({ resources: { helmReleases: [helm] } }, { fix: ['managed-by.helm'] }),
    aPlan({ objects: { [ids.felix]: null } }),
  ];
  for (const plan of plans) {
    execFileSync('sh', ['-n'], { input: planAsShell(plan) });
    for (const { undo } of plan.operations) if (undo) execFileSync('sh', ['-n'], { input: undo.command });
  }
});

test('on another cluster it stops before the first change', () => {
  const { status, calls } = run(aPlan(), { CLUSTER_UID: 'other' });
  expect(status).toBe(2);
  expect(calls).toHaveLength(1);
});

test('a blocked plan is a script that says why and does nothing', () => {
  const plan = aPlan();
  const finding = {
    id: 'node.kernel',
    group: 'Nodes',
    severity: 'blocking',
    status: 'fail',
    title: '',
    because: "worker-3's kernel is $(too) old",
    subjects: [],
    consequence: '',
    remedy: { steps: [] },
    evidence: [],
    observedAt: '',
    acknowledged: null,
    fixedBy: null,
  } as const;
  const findings = someFindings({
    verdict: 'blocked',
    findings: [{ ...finding, subjects: [], evidence: [], remedy: { steps: [] } }],
  });
  const { status, stderr, calls } = run({ ...plan, findings });
  expect(status).toBe(3);
  expect(stderr).toContain("node.kernel: worker-3's kernel is $(too) old");
  expect(calls).toEqual([['']]);
});

test('what only the administrator can do stops the script until it is said to be done', () => {
  const { status, stdout, calls } = run(aPlan({ platform: { kind: 'k3s' }, proxy: { kind: 'embedded' } }));
  expect(status).not.toBe(0);
  expect(stdout).toContain('--disable-kube-proxy');
  expect(calls.filter(([, verb]) => verb === 'patch').at(-1)?.[2]).toBe('installations.operator.tigera.io/default');
});

test('a node whose kernel refuses stops the script with its pod’s name', () => {
  const refusing = fakeKubectl.replace(
    "echo 'BPF enabled, starting BPF endpoint manager and map manager.'",
    "echo 'BPF dataplane mode enabled but not supported by the kernel.  Disabling BPF mode.'",
  );
  expect(refusing).not.toBe(fakeKubectl);
  const plan = aPlan();
  const command = plan.operations.find(({ id }) => id === 'bpf.active')?.command ?? '';
  writeFileSync(join(folder, 'kubectl'), refusing);
  chmodSync(join(folder, 'kubectl'), 0o755);
  const result = spawnSync('sh', ['-c', command], {
    encoding: 'utf8',
    env: { PATH: `${folder}:/usr/bin:/bin`, CALLS: join(folder, 'calls') },
  });
  expect(result.status).toBe(1);
  expect(result.stderr).toContain('pod/calico-node-a');
});

test('hostile names and addresses are only ever text', () => {
  const hostile = `x'; touch ${folder}/owned; $(touch ${folder}/owned) \`touch ${folder}/owned\` "\n touch ${folder}/owned #`;
  const plan = aPlan(
    {
      cluster: { name: hostile },
      objects: {
        [ids.installation]: object('operator.tigera.io/v1', 'Installation', 'default', undefined, {
          spec: { calicoNetwork: { linuxDataplane: 'Iptables' }, registry: hostile },
        }),
      },
      installation: { version: hostile },
      endpoint: { inUse: [{ object: `${hostile}/Deployment/${hostile}`, container: hostile, host: null, port: null }] },
    },
    { endpoint: { host: hostile, port: hostile }, set: { registry: hostile } },
  );
  const { calls } = run({ ...plan, hash: hostile, madeAt: hostile }, { ENDPOINT: hostile });
  expect(spawnSync('ls', [folder], { encoding: 'utf8' }).stdout).not.toContain('owned');
  expect(calls.flat().join('\t')).toContain('--from-literal=KUBERNETES_SERVICE_HOST=x');
});
