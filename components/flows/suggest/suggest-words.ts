/** What the button says that leads to the plan of a suggested policy: one that is not staged denies as soon as it is made. */
export function planWords(kind: string): string {
  return kind === 'StagedNetworkPolicy' ? 'Review as a plan' : 'Review the plan of a policy that will deny';
}
