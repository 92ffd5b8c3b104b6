import { describe, expect, test } from 'vitest';
import { distributionFamily, distributionOf, isImmutable } from './distributions.ts';

describe('osImage as distributions really write it', () => {
  test.each([
    ['Ubuntu 24.04.1 LTS', 'ubuntu', '24.04'],
    ['Ubuntu 18.04.6 LTS', 'ubuntu', '18.04'],
    ['Ubuntu 22.04.4 LTS', 'ubuntu', '22.04'],
    ['Ubuntu Noble Numbat (development branch)', 'ubuntu', null],
    ['Ubuntu Core 22', 'ubuntu-core', '22'],
    ['Red Hat Enterprise Linux 8.2 (Ootpa)', 'rhel', '8.2'],
    ['Red Hat Enterprise Linux Server 7.9 (Maipo)', 'rhel', '7.9'],
    ['Red Hat Enterprise Linux 10.0 (Coughlan)', 'rhel', '10.0'],
    ['Red Hat Enterprise Linux CoreOS 416.94.202408260940-0', 'rhcos', '416.94.202408260940-0'],
    ['Red Hat Enterprise Linux CoreOS 47.84.202103 (Ootpa)', 'rhcos', '47.84.202103'],
    ['CentOS Linux 8', 'centos', '8'],
    ['CentOS Linux 7 (Core)', 'centos', '7'],
    ['CentOS Stream 9', 'centos-stream', '9'],
    ['CentOS Stream CoreOS 419.9.202505', 'scos', '419.9.202505'],
    ['Rocky Linux 8.10 (Green Obsidian)', 'rocky', '8.10'],
    ['AlmaLinux 9.4', 'almalinux', '9.4'],
    ['AlmaLinux 8.1 (Sky Tiger)', 'almalinux', '8.1'],
    ['Oracle Linux Server 8.9', 'ol', '8.9'],
    ['Amazon Linux 2', 'amzn', '2'],
    ['Amazon Linux 2023.5.20240903', 'amzn', '2023.5.20240903'],
    ['Bottlerocket OS 1.21.1 (aws-k8s-1.31)', 'bottlerocket', '1.21.1'],
    ['Bottlerocket (EKS Auto, Standard) 2025.1.18 (aws-k8s-1.31-standard)', 'bottlerocket', '2025.1.18'],
    ['Flatcar Linux 4000.1.0', 'flatcar', '4000.1.0'],
    ['Container-Optimized OS for TPU 117', 'cos', '117'],
    ['Talos (v1.8.1)', 'talos', '1.8.1'],
    ['Flatcar Container Linux by Kinvolk 3975.2.1 (Oklo)', 'flatcar', '3975.2.1'],
    ['Fedora CoreOS 40.20240906.3.0', 'fedora-coreos', '40.20240906.3.0'],
    ['Fedora Linux 41.20250117.3.0 (CoreOS)', 'fedora-coreos', '41.20250117.3.0'],
    ['Fedora Linux 40 (Cloud Edition)', 'fedora', '40'],
    ['Container-Optimized OS from Google', 'cos', null],
    ['SUSE Linux Enterprise Server 15 SP5', 'sles', '15.5'],
    ['SUSE Linux Enterprise Server 15', 'sles', '15'],
    ['SUSE Linux Enterprise Micro 5.5', 'sle-micro', '5.5'],
    ['openSUSE Leap 15.6', 'opensuse-leap', '15.6'],
    ['Debian GNU/Linux 12 (bookworm)', 'debian', '12'],
    ['Debian GNU/Linux trixie/sid', 'debian', null],
    ['k3OS', 'k3os', null],
    ['k3OS v0.21.5-k3s2r1', 'k3os', '0.21.5'],
    ['Common Base Linux Mariner Linux', 'mariner', null],
    ['CBL-Mariner/Linux', 'mariner', null],
    ['Azure Linux 3.0', 'azurelinux', '3.0'],
    ['Microsoft Azure Linux 3.0', 'azurelinux', '3.0'],
    ['Photon OS', 'photon', null],
    ['VMware Photon OS/Linux', 'photon', null],
    ['Alpine Linux v3.19', 'alpine', '3.19'],
    ['Windows Server 2022 Datacenter', 'windows', '2022'],
    ['', 'unknown', null],
    ['A homemade system 1.0', 'unknown', null],
    ['<script>alert(1)</script>', 'unknown', null],
  ])('%s: %s %s', (osImage, id, version) => {
    expect(distributionOf(osImage)).toEqual({ id, version });
  });
});

test('what is numbered like Red Hat, and what cannot be written to', () => {
  expect(['rhel', 'rocky', 'ol', 'centos-stream'].map(distributionFamily)).toEqual(['rhel', 'rhel', 'rhel', 'rhel']);
  expect(['rhcos', 'amzn', 'unknown'].map(distributionFamily)).toEqual(['other', 'other', 'other']);
  expect(['talos', 'bottlerocket', 'rhcos'].every(isImmutable)).toBe(true);
  expect(isImmutable('ubuntu')).toBe(false);
});

test('a string of absurd length is read in no time', () => {
  const began = process.cpuUsage();
  distributionOf(`Ubuntu ${'1.'.repeat(500_000)}`);
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(2_000);
});
