/** Space (px) for rows of a table that are not rendered; invisible, so that it is not read out and causes no layout shift. */
export function RowSpace({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr className="invisible">
      <td colSpan={columns} className="p-0" height={height} />
    </tr>
  );
}
