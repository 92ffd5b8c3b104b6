/** A sentence of a step, and the command that follows it; null: none. */
export type PartOfStep = { text: string; command: string | null };

/** Programs that an administrator runs in a shell; other code in a sentence is a field or a file. */
const programs = /^(?:[A-Z_]+=\S+ )*(?:sudo )?(?:kubectl|oc|kubeadm|helm|calicoctl|signalbox|talosctl|kops|aws|az) \S/;

/**
 * A remedy's step, split after each command that ends one of its sentences (`… before: \`kubectl drain worker-3\`.`), so that the command can stand on a
 * line of its own. Code inside a sentence stays where it is. Pure.
 */
export function partsOfStep(step: string): PartOfStep[] {
  const parts: PartOfStep[] = [];
  let rest = step;
  for (const { 0: whole, 1: command = '' } of step.matchAll(/`([^`]+)`\.(?= |$)/g)) {
    const at = rest.indexOf(whole);
    if (!programs.test(command) || !/: $/.test(rest.slice(0, at))) continue;
    parts.push({ text: rest.slice(0, at).trim(), command });
    rest = rest.slice(at + whole.length).trim();
  }
  return rest === '' ? parts : [...parts, { text: rest, command: null }];
}
