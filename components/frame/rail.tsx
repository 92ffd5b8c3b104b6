import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { OpenPalette } from '#components/palette/open-palette.tsx';
import { Brand } from './brand.tsx';
import { ClosingDetails } from './closing-details.tsx';
import { MenuIcon } from './menu-icon.tsx';
import { ReferenceLink } from './reference-link.tsx';
import { SessionsLink } from './sessions-link.tsx';
import { type Theme, themeCookie, themeOf } from './theme.ts';
import { ThemeSwitch } from './theme-switch.tsx';

/**
 * The left rail; on a narrow screen a bar at the top with a menu. Both work without script: the menu is a `<details>`. `children`: the cluster switcher and the
 * links to a cluster's pages.
 */
export async function Rail({ children }: { children: ReactNode }) {
  const theme = themeOf((await cookies()).get(themeCookie)?.value);
  return (
    <>
      <header className="hidden w-52 shrink-0 border-r border-line bg-sunk min-[900px]:block print:hidden">
        <div className="sticky top-0 flex h-dvh flex-col overflow-y-auto px-3 pt-4 pb-3">
          <Brand />
          <div className="mt-3 flex flex-1 flex-col">{children}</div>
          <Foot theme={theme} />
        </div>
      </header>
      <header className="min-[900px]:hidden print:hidden">
        <ClosingDetails className="group border-b border-line bg-sunk">
          <summary className="flex min-h-12 list-none items-center justify-between px-2 [&::-webkit-details-marker]:hidden">
            <span className="flex items-center gap-2 px-2 font-[640]">
              <MenuIcon />
              Signalbox
            </span>
            <span className="px-2 text-ink-2">
              <span className="group-open:hidden">Menu</span>
              <span className="hidden group-open:inline">Close</span>
            </span>
          </summary>
          <div className="border-t border-line px-3 pt-3 pb-4">
            {children}
            <Foot theme={theme} />
          </div>
        </ClosingDetails>
      </header>
    </>
  );
}

function Foot({ theme }: { theme: Theme }) {
  return (
    <div className="mt-6 flex flex-col gap-2 border-t border-line pt-3">
      <div>
        <OpenPalette />
        <ReferenceLink />
      </div>
      <ThemeSwitch initial={theme} />
      <div>
        <SessionsLink />
        <SignOut />
      </div>
    </div>
  );
}

/** A plain form, answered by the console's own server, with and without script. */
function SignOut() {
  return (
    <form method="post" action="/sign-out">
      <button type="submit" className="min-h-8 w-full rounded-md px-2 py-1 text-left text-ink-2 hover:bg-line">
        Sign out
      </button>
    </form>
  );
}
