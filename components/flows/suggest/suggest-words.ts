/** Words of the button that plans a suggested policy; a policy that is not staged takes effect when it is created. */
export function planWords(kind: string): string {
  return kind === 'StagedNetworkPolicy' ? 'Review as a plan' : 'Review the plan of a policy that will deny';
}
