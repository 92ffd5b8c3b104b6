import { type Template, templateOf, templates } from './templates/index.ts';

export type SandboxListing = {
  name: string;
  /** One line. */
  shows: string;
  /** The heading under which it is listed. */
  group: Template['group'];
  /** Changed since it was created: it is in the state folder. */
  kept: boolean;
  /** The pid of the process that has it open. */
  openIn: number | null;
};

/** Every sample, and whether a changed copy of it is in the state folder. */
export async function listSandboxes(state: string): Promise<SandboxListing[]> {
  const { storedSandboxes } = await import('./persistence/sandbox-folder.ts');
  const openInByName = new Map(storedSandboxes(state).map((each) => [each.name, each.openIn]));
  return Object.entries(templates).map(([name, { shows, group }]) => ({
    name,
    shows,
    group,
    kept: openInByName.has(name),
    openIn: openInByName.get(name) ?? null,
  }));
}

/** Makes the next use start from the template. Returns whether there was a changed copy. Throws `not-found`. */
export async function resetSandbox(state: string, name: string): Promise<boolean> {
  templateOf(name);
  const { forgetStoredSandbox } = await import('./persistence/sandbox-folder.ts');
  return forgetStoredSandbox(state, name);
}
