/** What taking a run back is called, by what the run did. */
export type WayBackWords = {
  /** On the button that asks. */
  ask: string;
  title: string;
  /** On the button that does it. */
  act: string;
  under: string;
  /** Above the steps. */
  lead: string;
  /** When it is over. */
  over: string;
};

const takingBack: WayBackWords = {
  ask: 'Undo…',
  title: 'Undo this run?',
  act: 'Undo the run',
  under: 'Turning back…',
  lead: 'In this order, each step awaited before the next:',
  over: 'Undone: the cluster is as it was before this run',
};

/** Only a run of ours can be uninstalled: its journal says what was there before it. */
const uninstalling: WayBackWords = {
  ask: 'Uninstall…',
  title: 'Uninstall Calico?',
  act: 'Uninstall',
  under: 'Uninstalling…',
  lead: 'Pods lose the network that Calico gave them, and new ones wait for another. What this run made is removed in this order, each step awaited before the next; what others made since is named, and not removed:',
  over: 'Uninstalled: what this run brought is gone',
};

export function wayBackWords(goal: string): WayBackWords {
  return goal === 'install' ? uninstalling : takingBack;
}
