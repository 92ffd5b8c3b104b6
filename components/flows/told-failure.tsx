'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { CommandBlock } from '#components/ui/code-block.tsx';
import { messageParts } from '#lib/flows/in-browser.ts';

/** What names the cluster of the page in a command of each program, with a space before it: without it, the command is carried out on the kubeconfig's current one. */
export type FlagsByProgram = Readonly<Record<'signalbox' | 'kubectl', string>>;

const Flags = createContext<FlagsByProgram>({ signalbox: '', kubectl: '' });

export function ForCommands({ flags, children }: { flags: FlagsByProgram; children: ReactNode }) {
  return <Flags value={flags}>{children}</Flags>;
}

/** Why there are no flows, with each command that its message ends in in a box of its own. `title` stands above it already, and is not said again. */
export function ToldFailure({ message, title, look = '' }: { message: string; title?: string; look?: string }) {
  const flags = useContext(Flags);
  const { said, commands } = messageParts(message);
  const lead = `${title}. `;
  return (
    <div className="flex max-w-[80ch] min-w-0 flex-col gap-3 text-left">
      <p className={`break-words ${look}`}>{said.startsWith(lead) ? said.slice(lead.length) : said}</p>
      {commands.map((command) => (
        <CommandBlock
          key={command}
          command={`${command}${command.startsWith('kubectl ') ? flags.kubectl : flags.signalbox}`}
          of={`the command ${command}`}
          on="sheet"
        />
      ))}
    </div>
  );
}
