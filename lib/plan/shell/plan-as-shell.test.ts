import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { flagsByProgram, withClusterFlags } from '#lib/text/index.ts';
import type { Plan } from '../plan.ts';
import { planUndo } from '../plan-undo.ts';
import { aPlan, ids, object, proxyConfig, someFindings } from '../testing/a-cluster.ts';
import { planAsShell } from './plan-as-shell.ts';

let folder = '';
beforeEach(() => {
  folder = testFolder('plan-as-shell');
});

/** A kubectl that answers as a healthy cluster would and records each call, one on a line. */
const fakeKubectl = `#!/bin/sh
{ printf '%s' "\${0##*/}"; for word in "$@"; do printf '\\t%s' "$word"; done; printf '\\n'; } >> "$CALLS"
[ "$(wc -l < "$CALLS")" -ne "\${FAIL_AT:-0}" ] || exit 1
case "$*" in
  *metadata.uid*) printf '%s' "$CLUSTER_UID" ;;
  *KUBERNETES_SERVICE_PORT*) printf '%s %s' "$ENDPOINT" "\${PORT:-6443}" ;;
  *KUBERNETES_SERVICE_HOST*) printf '%s' "$ENDPOINT" ;;
  *spec.bpfEnabled*) printf '%s' "\${BPF:-true}" ;;
  *calicoVersion*) printf v3.31.4 ;;
  *desiredNumberScheduled*) printf '%s' "\${DESIRED:-0}" ;;
  *observedGeneration*|*metadata.generation*) printf 4 ;;
  *'get pods'*'k8s-app=kube-proxy'*) [ "\${DESIRED:-0}" = 0 ] || echo pod/kube-proxy-a ;;
  *'get pods'*'k8s-app=calico-node'*) echo pod/calico-node-a; echo pod/calico-node-b ;;
  *'exec -n'*/proc/net/dev*) printf '%s\\n' "\${DEVICES:-    lo: 0}" ;;
  *'logs -n'*) echo 'BPF enabled, starting BPF endpoint manager and map manager.' ;;
  *'-o yaml'*) echo 'kind: Any' ;;
esac
`;

function run(plan: Plan, env: Record<string, string> = {}) {
  return runScript(planAsShell(plan), env);
}

function runScript(text: string, env: Record<string, string> = {}) {
  rmSync(join(folder, 'signalbox-before.yaml'), { force: true });
  const calls = join(folder, 'calls');
  writeFileSync(calls, '');
  for (const program of ['kubectl', 'helm', 'sleep']) {
    writeFileSync(join(folder, program), program === 'sleep' ? '#!/bin/sh\n' : fakeKubectl);
    chmodSync(join(folder, program), 0o755);
  }
  const script = join(folder, 'plan.sh');
  writeFileSync(script, text);
  const result = spawnSync('sh', [script], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 20_000,
    input: env.INPUT ?? '',
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
  const flags = [flagsByProgram({}), flagsByProgram({ context: "it's", kubeconfig: { files: '/a b:/c' } })];
  for (const plan of plans) {
    for (const on of flags) {
      execFileSync('sh', ['-n'], { input: planAsShell(plan, on) });
      for (const { command, undo } of plan.operations)
        execFileSync('sh', ['-n'], { input: withClusterFlags(`${command}\n${undo?.command ?? ''}`, on) });
    }
  }
});

test('with flags of a cluster, it calls the same programs with the same words, each of them there', () => {
  const plans = [aPlan(), aPlan({ proxy: { mode: 'ipvs' } }, { fix: ['proxy.not-ipvs'] })];
  const named = ['--context', "it's", '--kubeconfig', '/srv/a b/config'];
  const on = flagsByProgram({ context: "it's", kubeconfig: { file: '/srv/a b/config' } });
  for (const plan of plans) {
    const without = run(plan).calls;
    const { calls } = runScript(planAsShell(plan, on));
    expect(without.length).toBeGreaterThan(5);
    expect(calls).toEqual(without.map(([program, ...words]) => [program, ...named, ...words]));
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
    outage: false,
    title: '',
    because: "worker-3's kernel is $(too) old",
    subjects: [],
    ifIgnored: '',
    consequence: '',
    remedy: { steps: [] },
    evidence: [],
    observedAt: '',
    acknowledged: null,
    notMeasured: null,
    followsFrom: null,
    fixedBy: null,
  } as const;
  const findings = someFindings({
    verdict: 'blocked',
    findings: [{ ...finding, subjects: [], evidence: [], remedy: { steps: [] } }],
  });
  expect(planAsShell({ ...plan, findings })).toContain('\n# INCOMPLETE: do not run\n');
  const { status, stderr, calls } = run({ ...plan, findings });
  expect(status).toBe(3);
  expect(stderr).toContain("node.kernel: worker-3's kernel is $(too) old");
  expect(calls).toEqual([['']]);
});

test('a step for the administrator stops the script until it is confirmed', () => {
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

const release = {
  name: 'calico',
  namespace: 'tigera-operator',
  chart: 'tigera-operator-v3.31.4',
  revision: 1,
  status: 'deployed',
  values: { installation: { calicoNetwork: { linuxDataplane: 'Iptables' } } },
};
const ipvs = {
  proxy: { mode: 'ipvs' },
  objects: {
    [ids.proxyConfig]: object('v1', 'ConfigMap', 'kube-proxy', 'kube-system', {
      data: { 'config.conf': proxyConfig('ipvs') },
    }),
  },
} as const;

const undoOf = (plan: Plan) =>
  [
    'set -eu',
    ...planUndo(
      plan,
      plan.operations.map(({ seq }) => seq),
      null,
    ).map(({ command }) => command),
  ].join('\n');

test.each([
  ['the switch', () => planAsShell(aPlan()), {}],
  ['leaving IPVS', () => planAsShell(aPlan(ipvs, { fix: ['proxy.not-ipvs'] })), { DESIRED: '3' }],
  [
    'the switch by Helm',
    () => planAsShell(aPlan({ resources: { helmReleases: [release] } }, { fix: ['managed-by.helm'] })),
    {},
  ],
  ['the undo of the switch', () => undoOf(aPlan()), { BPF: 'false', DESIRED: '3', ENDPOINT: '10.96.0.1' }],
  [
    'the undo of a managed proxy',
    () => undoOf(aPlan({}, { set: { 'calicoNetwork.kubeProxyManagement': 'Enabled' } })),
    { BPF: 'false', DESIRED: '3', ENDPOINT: '10.96.0.1' },
  ],
] as const)('%s: whichever call fails, nothing is changed after it', (_title, script, env) => {
  const text = script();
  const undisturbed = runScript(text, env);
  expect(undisturbed.status, undisturbed.stderr).toBe(0);
  expect(undisturbed.calls.length).toBeGreaterThan(5);
  for (let failing = 1; failing <= undisturbed.calls.length; failing++) {
    const { status, calls, stdout } = runScript(text, { ...env, FAIL_AT: String(failing) });
    const later = calls.slice(failing).filter(([, verb = '']) => isChange(verb));
    expect({ failing, status: status === 0, later }).toEqual({ failing, status: false, later: [] });
    expect(stdout).not.toContain('Done.');
  }
});

function isChange(verb: string): boolean {
  return ['patch', 'create', 'apply', 'delete', 'upgrade', 'rollback', 'replace', 'annotate'].includes(verb);
}

const printed = {
  yes: 'BPF enabled, starting BPF endpoint manager and map manager.',
  no: 'BPF dataplane mode enabled but not supported by the kernel.  Disabling BPF mode.',
  start: 'Felix starting up',
};

test.each([
  ['a yes', [printed.start, printed.yes], 0],
  ['a yes after a refusal', [printed.no, printed.start, printed.yes], 0],
  ['a refusal after a yes', [printed.yes, printed.start, printed.no], 1],
  ['a yes from before its latest start: waited on', [printed.yes, printed.start], null],
])('the agent’s last line decides: %s', (_title, lines, status) => {
  const command = aPlan().operations.find(({ id }) => id === 'bpf.active')?.command ?? '';
  const log = lines.map((text) => `2026-11-21 05:23:03.123 [INFO][71] felix/x.go 1: ${text}`).join('\n');
  const talking = fakeKubectl.replace(`echo '${printed.yes}'`, 'printf "%s\\n" "$LOG"');
  writeFileSync(join(folder, 'kubectl'), talking);
  writeFileSync(join(folder, 'sleep'), '#!/bin/sh\nexec /bin/sleep 0.2\n');
  for (const program of ['kubectl', 'sleep']) chmodSync(join(folder, program), 0o755);
  const result = spawnSync('sh', ['-c', command], {
    timeout: status === null ? 2_000 : 20_000,
    env: { PATH: `${folder}:/usr/bin:/bin`, CALLS: join(folder, 'calls'), LOG: log },
  });
  expect(result.status).toBe(status);
});

test.each([
  ['only devices', '    lo:  0', 0, ''],
  [
    'the header of the table',
    '    lo:  0\nIP Virtual Server version 1.2.1 (size=4096)\nProt LocalAddress:Port Scheduler Flags',
    0,
    '',
  ],
  ['the interface: waited on', '    lo:  0\nkube-ipvs0:  0', null, ''],
  ['a virtual server: waited on', '    lo:  0\nTCP  0A600001:01BB rr', null, ''],
  ['no answer', 'error', 1, 'pod/kube-proxy-a: what IPVS left could not be read.\n'],
])('what IPVS left on a node: %s', (_title, devices, status, stderr) => {
  const plan = aPlan(ipvs, { fix: ['proxy.not-ipvs'] });
  const command = plan.operations.find(({ id }) => id === 'proxy.ipvs-to-iptables')?.command ?? '';
  writeFileSync(join(folder, 'kubectl'), fakeKubectl);
  writeFileSync(join(folder, 'sleep'), '#!/bin/sh\nexec /bin/sleep 0.2\n');
  for (const program of ['kubectl', 'sleep']) chmodSync(join(folder, program), 0o755);
  const result = spawnSync('sh', ['-c', command], {
    encoding: 'utf8',
    timeout: status === null ? 2_000 : 20_000,
    env: { PATH: `${folder}:/usr/bin:/bin`, CALLS: join(folder, 'calls'), DESIRED: '3', DEVICES: devices },
  });
  expect([result.status, result.stderr]).toEqual([status, stderr]);
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
  const { calls } = run({ ...plan, hash: hostile, madeAt: hostile }, { ENDPOINT: hostile, PORT: hostile });
  expect(spawnSync('ls', [folder], { encoding: 'utf8' }).stdout).not.toContain('owned');
  expect(calls.flat().join('\t')).toContain('--from-literal=KUBERNETES_SERVICE_HOST=x');
});
