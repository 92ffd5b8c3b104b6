/** That cluster DNS answers by itself, whatever the cluster's domain: the name of the API's address. Others it would pass on to somebody else. */
export function questionAbout(address: string): string {
  const [pointer, a] = ['12', '1'];
  if (address.includes(':')) return `kubernetes.default.svc.cluster.local ${a}`;
  return `${address.split('.').reverse().join('.')}.in-addr.arpa ${pointer}`;
}
