import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { Frame } from '#components/frame/frame.tsx';
import { ReferenceRail } from '#components/reference/reference-rail.tsx';
import { requireSession } from '../session.ts';

export const metadata: Metadata = { title: { default: 'Reference', template: '%s · Reference · Signalbox' } };

export default async function ReferenceLayout({ children }: { children: ReactNode }) {
  await requireSession();
  return <Frame rail={<ReferenceRail />}>{children}</Frame>;
}
