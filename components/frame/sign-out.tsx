/** A plain form: the console's own server answers it before any route does, with and without script. */
export function SignOut() {
  return (
    <form method="post" action="/sign-out">
      <button type="submit" className="min-h-8 w-full rounded-md px-2 py-1 text-left text-ink-2 hover:bg-line">
        Sign out
      </button>
    </form>
  );
}
