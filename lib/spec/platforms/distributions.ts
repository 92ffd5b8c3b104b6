import { remembered } from '../objects/remembered.ts';

/**
 * Operating systems by the names that nodes report. `Node.status.nodeInfo.osImage` is PRETTY_NAME of /etc/os-release
 * (https://www.freedesktop.org/software/systemd/man/latest/os-release.html); the kubelet reports nothing else.
 */

export type Distribution = {
  /** ID of os-release; for products without their own (`fedora-coreos`), a distinguishing name. */
  readonly id: string;
  /** VERSION_ID of os-release; null if the string does not have it. */
  readonly version: string | null;
};

/** `rhel`: numbered like Red Hat Enterprise Linux, with its kernels. */
export type DistributionFamily = 'ubuntu' | 'rhel' | 'other';

export type DistributionRule = {
  readonly id: string;
  readonly family: DistributionFamily;
  /** /usr is read-only, so cgroupV2Path and flexVolumePath need other folders (spec › Limits, pain C6 and C7). */
  readonly immutable: boolean;
  /** Matches the whole osImage. Group 1 is the version. */
  readonly pattern: RegExp;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const rule = (
  id: string,
  pattern: RegExp,
  { family = 'other', immutable = false }: Partial<Pick<DistributionRule, 'family' | 'immutable'>> = {},
): DistributionRule => ({
  id,
  family,
  immutable,
  pattern,
  source: 'observed: PRETTY_NAME in os-release of the distribution',
  read: '2026-11-20',
});

const number = String.raw`v?(\d+(?:\.\d+)*)`;
const named = (name: string, version: string = String.raw`(?:\D*?${number})?`) =>
  new RegExp(`^${name}\\b${version}`, 'i');

/**
 * The first match counts. A name is the common prefix of a system's variants (`Bottlerocket (EKS Auto, Standard) …`); special editions come before the name that
 * they start with.
 */
export const distributionRules: readonly DistributionRule[] = [
  rule('ubuntu-core', named('Ubuntu Core'), { immutable: true }),
  rule('ubuntu', /^Ubuntu\b(?:\D*?(\d+\.\d+))?/i, { family: 'ubuntu' }),
  rule('rhcos', /^Red Hat Enterprise Linux CoreOS\b(?:\s+(\d[\w.-]*))?/i, { immutable: true }),
  rule('rhel', named('Red Hat Enterprise Linux'), { family: 'rhel' }),
  rule('scos', /^CentOS Stream CoreOS\b(?:\s+(\d[\w.-]*))?/i, { immutable: true }),
  rule('centos-stream', named('CentOS Stream'), { family: 'rhel' }),
  rule('centos', named('CentOS'), { family: 'rhel' }),
  rule('rocky', named('Rocky Linux'), { family: 'rhel' }),
  rule('almalinux', named('Alma ?Linux'), { family: 'rhel' }),
  rule('ol', named('Oracle Linux'), { family: 'rhel' }),
  rule('amzn', named('Amazon Linux')),
  rule('bottlerocket', named('Bottlerocket'), { immutable: true }),
  rule('talos', named('Talos'), { immutable: true }),
  rule('flatcar', named('Flatcar'), { immutable: true }),
  rule('coreos', named('(?:Container Linux by CoreOS|CoreOS Container Linux)'), { immutable: true }),
  rule('fedora-coreos', named('Fedora CoreOS'), { immutable: true }),
  rule('fedora-coreos', /^Fedora Linux (\d+(?:\.\d+)*) \(CoreOS\)/i, { immutable: true }),
  rule('fedora', named('Fedora')),
  rule('cos', named('Container-Optimized OS'), { immutable: true }),
  rule('sle-micro', named('SUSE (?:Linux Enterprise|Linux|LE) Micro'), { immutable: true }),
  rule('sle-micro', named('SLE Micro'), { immutable: true }),
  rule('opensuse-microos', named('openSUSE MicroOS'), { immutable: true }),
  rule('opensuse-leap-micro', named('openSUSE Leap Micro'), { immutable: true }),
  rule('opensuse-leap', named('openSUSE Leap')),
  rule('opensuse-tumbleweed', named('openSUSE Tumbleweed')),
  rule('sles', /^SUSE Linux Enterprise Server\b(?:\D*?(\d+(?:\.\d+)?)(?: SP(\d+))?)?/i),
  rule('debian', named('Debian')),
  rule('raspbian', named('Raspbian')),
  rule('k3os', named('k3OS'), { immutable: true }),
  rule('rancheros', named('RancherOS'), { immutable: true }),
  rule('harvester', named('Harvester'), { immutable: true }),
  rule('kairos', named('Kairos'), { immutable: true }),
  rule('azurelinux', named('(?:Microsoft )?Azure Linux')),
  rule('mariner', named('(?:CBL-Mariner|Common Base Linux Mariner)(?:/Linux)?')),
  rule('photon', named('(?:VMware )?Photon')),
  rule('alpine', named('Alpine Linux')),
  rule('arch', named('Arch Linux', '')),
  rule('nixos', named('NixOS')),
  rule('gentoo', named('Gentoo')),
  rule('openeuler', named('openEuler')),
  rule('euleros', named('(?:Huawei Cloud )?EulerOS')),
  rule('alinux', named('(?:Alibaba Cloud|Aliyun) Linux')),
  rule('tencentos', named('TencentOS')),
  rule('kylin', /^Kylin\b(?:.*?\b(V\d+))?/i),
  rule('gardenlinux', named('Garden Linux')),
  rule('windows', /^Windows\b(?:\s+Server)?(?:\s+(\d+))?/i),
];

/** `unknown` for systems that the table lacks; they have only the general kernel rule. */
export const distributionOf = remembered((osImage): Distribution => {
  const text = osImage.trim().slice(0, 200);
  for (const { id, pattern } of distributionRules) {
    const match = pattern.exec(text);
    if (match) return { id, version: versionOf(match) };
  }
  return { id: 'unknown', version: null };
});

/** `15 SP5` is VERSION_ID 15.5. */
function versionOf([, version, servicePack]: RegExpExecArray): string | null {
  if (version === undefined) return null;
  return servicePack === undefined ? version : `${version}.${servicePack}`;
}

const byId = new Map(distributionRules.map((one) => [one.id, one]));

export function distributionFamily(id: string): DistributionFamily {
  return byId.get(id)?.family ?? 'other';
}

export function isImmutable(id: string): boolean {
  return byId.get(id)?.immutable ?? false;
}
