import { Contents } from '#components/reference/contents.tsx';
import { requireSession } from '../session.ts';

export default async function ReferencePage() {
  await requireSession();
  return <Contents />;
}
