/** Words for undoing a run, which depend on what it did. */
export type WayBackWords = {
  /** The button that opens the dialog. */
  ask: string;
  title: string;
  /** The dialog's button. */
  act: string;
  under: string;
  /** The text above the steps. */
  lead: string;
  /** The text after the undo. */
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

/** For undoing an installation; only for own runs, whose journal records the state before. */
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
