import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { themeCookie, themeOf } from '#components/frame/theme.ts';
import { mono, sans } from './fonts.ts';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Signalbox', template: '%s · Signalbox' },
  description: "Moves a live cluster to Calico's eBPF data plane, and back.",
  icons: { icon: '/icon.svg' },
  robots: { index: false },
};

export const viewport: Viewport = { width: 'device-width', initialScale: 1, colorScheme: 'light dark' };

/** Nothing is prerendered, because every answer has its own nonce (architecture.md › Processes and toolchain). */
export default async function RootLayout({ children }: { children: ReactNode }) {
  await connection();
  const theme = themeOf((await cookies()).get(themeCookie)?.value);
  return (
    <html lang="en" data-theme={theme} className={`${sans.variable} ${mono.variable}`}>
      <body>
        <a
          href="#main"
          className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:border focus:border-line focus:bg-sheet focus:px-3 focus:py-2"
        >
          Go to the content
        </a>
        {children}
      </body>
    </html>
  );
}
