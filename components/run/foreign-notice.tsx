import { Notice } from '#components/ui/notice.tsx';

/** Says on the page of a run that this installation did not carry that nothing here vouches for it. */
export function ForeignNotice({ because }: { because: string }) {
  return (
    <Notice state="unknown" title={because}>
      What this page says of it was not verified. To carry it on or take it back, look through what that would do.
    </Notice>
  );
}
