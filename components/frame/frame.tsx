import type { ReactNode } from 'react';
import { PaletteKey } from '#components/palette/palette-key.tsx';
import { FocusStays } from './focus-stays.tsx';
import { Rail } from './rail.tsx';
import { VisibilityReporter } from './visibility-reporter.tsx';
import { WaitingForConsole } from './waiting-for-console.tsx';

/** Rail and content: the shape of every page but the sign-in. `strip` stands above the content of every page that has this frame. `main` is where "Go to the content" leads. */
export function Frame({ rail, strip, children }: { rail: ReactNode; strip?: ReactNode; children: ReactNode }) {
  return (
    <div className="min-h-dvh min-[900px]:flex">
      <VisibilityReporter />
      <FocusStays />
      <WaitingForConsole />
      <PaletteKey />
      <Rail>{rail}</Rail>
      <main id="main" tabIndex={-1} className="outline-none min-w-0 flex-1 px-4 py-5 min-[900px]:px-8 min-[900px]:py-6">
        {/* A page that ends with a decision fills the window, so that the decision is at its lower edge. */}
        <div className="max-w-[1168px] min-[900px]:has-[>[data-above-decision]]:flex min-[900px]:has-[>[data-above-decision]]:min-h-[calc(100dvh-3rem)] min-[900px]:has-[>[data-above-decision]]:flex-col min-[1600px]:max-w-[1472px] min-[2400px]:max-w-[1800px]">
          {strip}
          {children}
        </div>
      </main>
    </div>
  );
}
