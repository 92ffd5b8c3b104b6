import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { Button } from '#components/ui/button.tsx';
import { MenuButton } from '#components/ui/menu-button.tsx';
import { flowColumns, usualColumns } from './flow-columns.tsx';

/** A menu that shows and hides columns. */
export function ColumnsMenu({
  chosen,
  onChoose,
}: {
  chosen: readonly string[];
  onChoose: (ids: readonly string[]) => void;
}) {
  const takeOver = useTakeOver();
  return (
    <MenuButton summary="Columns" align="right">
      <fieldset className="flex flex-col">
        <legend className="mb-1 text-sm font-semibold text-ink-2">Columns, kept in this browser</legend>
        {flowColumns.map(({ id, title, description }) => (
          <label key={id} className="flex min-h-7 items-baseline gap-2">
            <input
              type="checkbox"
              ref={takeOver}
              autoComplete="off"
              checked={chosen.includes(id)}
              onChange={({ target }) =>
                onChoose(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
              }
            />
            <span className="w-24 shrink-0">{title}</span>
            <span className="text-sm text-ink-3">{description}</span>
          </label>
        ))}
      </fieldset>
      <div className="mt-2">
        <Button kind="quiet" onClick={() => onChoose(usualColumns)}>
          Usual columns
        </Button>
      </div>
    </MenuButton>
  );
}
