/** Where the manifests of every Calico release are published, as committed at its tag (calico.md §1.1). */
const published = 'https://raw.githubusercontent.com/projectcalico/calico';

export function releaseAddress(version: string, name: string): string {
  return `${published}/${version}/manifests/${name}`;
}
