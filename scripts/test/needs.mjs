import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { debiansChromium, findChromium, headlessShell } from '../../e2e/browser/testing/chromium-path.mjs';
import { node24 } from '../node24-path.mjs';
import { run } from '../setup/child.mjs';
import { aptInstall, canAptInstall } from './apt.mjs';

/**
 * A requirement of a suite, or of some of its tests. `provide` finds or installs it and resolves with null, or else with a sentence that says what to do.
 * @typedef {{ name: string, provide: () => Promise<string | null> }} Need
 */

/** @param {string} script @returns {Promise<string | null>} null, or the last line that it wrote to stderr */
async function runScript(script) {
  const { code, tail } = await run(node24(), ['--disable-warning=ExperimentalWarning', script], { output: 'errors' });
  return code === 0 ? null : tail.trim().split('\n').at(-1) || `${script} failed without a word`;
}

/** Provides a need once for all suites that have it. @param {() => Promise<string | null>} provide */
function once(provide) {
  /** @type {Promise<string | null> | undefined} */
  let result;
  return () => {
    result ??= provide();
    return result;
  };
}

/** etcd, kube-apiserver and other programs: from KUBEBUILDER_ASSETS, from the cache, or built from their Go modules. @type {Need} */
export const controlPlane = {
  name: 'control plane',
  provide: once(async () => {
    const build = 'e2e/controlplane/build.ts';
    const missing = await runScript(build);
    if (missing === null || (await run('go', ['version'], { output: 'errors' })).code === 0) return missing;
    if (!canAptInstall()) return missing;
    const failed = await aptInstall(['golang-go', 'ca-certificates']);
    return failed ?? (await runScript(build));
  }),
};

/** The system's Chromium, or Debian's packages: the headless shell, also beside Debian's Chromium. @type {Need} */
export const browser = {
  name: 'browser',
  provide: once(async () => {
    const found = findChromium();
    const isNamed = Boolean(process.env.SIGNALBOX_CHROMIUM || process.env.CHROMIUM_PATH);
    const hasPackages = canAptInstall() && !isNamed;
    if ('missing' in found) {
      if (!hasPackages) return found.missing;
      return (await aptInstall([basename(headlessShell)])) === null ? null : aptInstall([basename(debiansChromium)]);
    }
    // Without it the tests pass too, only slower.
    if (hasPackages && found.path === debiansChromium) await aptInstall([basename(headlessShell)]);
    return null;
  }),
};

/** Calico's public manifests, which the project does not contain. @type {Need} */
export const calicoFiles = { name: "Calico's files", provide: once(() => runScript('scripts/calico-files.ts')) };

/** Recordings of the public operator's writes to a real API server. Tests compare the checked-in tables with them. @type {Need} */
export const recordings = {
  name: 'recordings',
  provide: once(async () => {
    const folder = process.env.SIGNALBOX_RECORDINGS_DIR;
    if (!folder) {
      return 'The tables distilled from recordings of the public operator were not compared with them: set SIGNALBOX_RECORDINGS_DIR to the folder that holds them.';
    }
    if (existsSync(folder) && statSync(folder).isDirectory()) return null;
    return `SIGNALBOX_RECORDINGS_DIR names ${folder}, which is no folder.`;
  }),
};

/** Emulated nodes for the probe's tests: network namespaces, and the programs of calico/node's image. @type {Need} */
export const nodeTools = {
  name: 'node tools',
  provide: once(async () => {
    if (process.getuid?.() !== 0)
      return 'The probe was not tried: its tests make network namespaces, which takes root.';
    const lacks = await lackingTools({
      ip: 'iproute2',
      bpftool: 'bpftool',
      iptables: 'iptables',
      shellcheck: 'shellcheck',
      pgrep: 'procps',
    });
    if (lacks.length === 0) return null;
    if (!canAptInstall()) return `The probe was not tried: it takes ${lacks.join(', ')}.`;
    return aptInstall(lacks);
  }),
};

/** Requirements of the data plane's programs: network namespaces and libbpf. @type {Need} */
export const dataPlaneTools = {
  name: 'data plane tools',
  provide: once(async () => {
    if (process.getuid?.() !== 0) return 'The data plane was not tried: BPF and network namespaces take root.';
    const lacks = await lackingTools({ ip: 'iproute2', iptables: 'iptables', nft: 'nftables' });
    const { code } = await run('sh', ['-c', 'PATH=$PATH:/usr/sbin:/sbin; ldconfig -p | grep -q libbpf.so.1'], {
      output: 'errors',
    });
    if (code !== 0) lacks.push('libbpf1');
    if (lacks.length === 0) return null;
    if (!canAptInstall()) return `The data plane was not tried: it takes ${lacks.join(', ')}.`;
    return aptInstall(lacks);
  }),
};

/** The compiler, to check that the checked-in object is built from the sources. No other test needs it. @type {Need} */
export const bpfCompiler = {
  name: 'BPF compiler',
  provide: once(async () => {
    const lacks = await lackingTools({
      'clang-14': 'clang-14',
      'llvm-strip-14': 'llvm-14',
      'clang-format-14': 'clang-format-14',
    });
    if (!existsSync('/usr/include/bpf/bpf_helpers.h')) lacks.push('libbpf-dev');
    if (lacks.length === 0) return null;
    if (!canAptInstall()) return `The object was not built again: that takes ${lacks.join(', ')}.`;
    return aptInstall(lacks);
  }),
};

/** Other kernels and emulators to run them: with features that this machine's kernel may lack, older ones, and one for another processor. @type {Need} */
export const otherKernels = {
  name: 'other kernels',
  provide: once(async () => {
    const lacks = await lackingTools({
      'qemu-system-x86_64': 'qemu-system-x86',
      'qemu-system-aarch64': 'qemu-system-arm',
      busybox: 'busybox-static',
      xz: 'xz-utils',
    });
    if (!canAptInstall()) return "Nothing was tried on other kernels than this machine's: it takes Debian and root.";
    const failed = lacks.length === 0 ? null : await aptInstall(lacks);
    return failed ?? (await runScript('e2e/kernels/provide.ts'));
  }),
};

/** ClickHouse's engine, to compare with the history's other engine, DuckDB. @type {Need} */
export const clickHouse = {
  name: 'ClickHouse',
  provide: once(async () => {
    const script = 'e2e/clickhouse/provide.ts';
    const missing = await runScript(script);
    if (missing === null || !canAptInstall()) return missing;
    return (await aptInstall(['python3', 'python3-pip', 'ca-certificates'])) ?? (await runScript(script));
  }),
};

/** The Debian packages of missing programs. @param {Readonly<Record<string, string>>} packages */
async function lackingTools(packages) {
  const found = await Promise.all(
    Object.entries(packages).map(async ([program, name]) => {
      const { code } = await run('sh', ['-c', `PATH=$PATH:/usr/sbin:/sbin command -v ${program}`], {
        output: 'errors',
      });
      return code === 0 ? [] : [name];
    }),
  );
  return found.flat();
}
