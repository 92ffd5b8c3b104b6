'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { CommandBlock } from '#components/ui/code-block.tsx';
import { messagePartsFor } from '#lib/flows/in-browser.ts';
import { type FlagsByProgram, noFlags } from '#lib/text/index.ts';

const Flags = createContext<FlagsByProgram>(noFlags);

export function ForCommands({ flags, children }: { flags: FlagsByProgram; children: ReactNode }) {
  return <Flags value={flags}>{children}</Flags>;
}

/** A failure's message, with each command at its end in a box. If the message starts with `title`, which is shown above, that part is left out. */
export function FailureMessage({ message, title, look = '' }: { message: string; title?: string; look?: string }) {
  const flags = useContext(Flags);
  const { sentence, commands } = messagePartsFor(message, flags);
  const lead = `${title}. `;
  return (
    <div className="flex max-w-[80ch] min-w-0 flex-col gap-3 text-left">
      <p className={`break-words ${look}`}>{sentence.startsWith(lead) ? sentence.slice(lead.length) : sentence}</p>
      {commands.map((command) => (
        <CommandBlock key={command} command={command} of={`the command ${command}`} on="sheet" />
      ))}
    </div>
  );
}
