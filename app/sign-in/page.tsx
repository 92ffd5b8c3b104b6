import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { safeReturnPath } from '#components/sign-in/safe-return-path.ts';
import { SignIn } from '#components/sign-in/sign-in.tsx';
import { host } from '#lib/console/host.ts';

export const metadata: Metadata = { title: 'Sign in' };

/** The key of a sign-in link is in the fragment, which browsers do not send. The page's script sends it in a POST. */
export default async function Page({ searchParams }: { searchParams: Promise<{ to?: string | string[] }> }) {
  const { to } = await searchParams;
  const session = host().session((await headers()).get('cookie'));
  return (
    <main
      id="main"
      tabIndex={-1}
      className="outline-none mx-auto flex min-h-dvh w-full max-w-[64ch] flex-col justify-center px-4 py-10"
    >
      <SignIn to={safeReturnPath(to)} session={session ? 'valid' : 'none'} />
    </main>
  );
}
