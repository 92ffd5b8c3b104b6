'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { CommandBlock } from '#components/ui/code-block.tsx';
import { messagePartsFor } from '#lib/flows/in-browser.ts';
import { type FlagsByProgram, noFlags } from '#lib/text/index.ts';

const Flags = createContext<FlagsByProgram>(noFlags);

export function ForCommands({ flags, children }: { flags: FlagsByProgram; children: ReactNode }) {
  return <Flags value={flags}>{children}</Flags>;
}

/** Why there are no flows, with each command that its message ends in in a box of its own. `title` stands above it already, and is not said again. */
export function ToldFailure({ message, title, look = '' }: { message: string; title?: string; look?: string }) {
  const flags = useContext(Flags);
  const { said, commands } = messagePartsFor(message, flags);
  const lead = `${title}. `;
  return (
    <div className="flex max-w-[80ch] min-w-0 flex-col gap-3 text-left">
      <p className={`break-words ${look}`}>{said.startsWith(lead) ? said.slice(lead.length) : said}</p>
      {commands.map((command) => (
        <CommandBlock key={command} command={command} of={`the command ${command}`} on="sheet" />
      ))}
    </div>
  );
}
