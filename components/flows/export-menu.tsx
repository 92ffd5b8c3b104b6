import { Button } from '#components/ui/button.tsx';
import { MenuButton } from '#components/ui/menu-button.tsx';
import { counted } from '#lib/base/words.ts';
import { csvHeading, csvLine, type Flow, flowLine } from '#lib/flows/in-browser.ts';
import { saveFile } from './save-file.ts';

const formats = [
  {
    ending: 'csv',
    words: 'CSV, for spreadsheets',
    type: 'text/csv',
    lines: (flows: readonly Flow[]) => [csvHeading, ...flows.map(csvLine)],
  },
  {
    ending: 'ndjson',
    words: 'NDJSON, one flow a line',
    type: 'application/x-ndjson',
    lines: (flows: readonly Flow[]) => flows.map(flowLine),
  },
] as const;

/** Saves the filtered flows as a file, with the columns and fields of `signalbox flows -o`. */
export function ExportMenu({ flows, cluster }: { flows: readonly Flow[]; cluster: string }) {
  return (
    <MenuButton summary="Export" align="right">
      {(close) => (
        <div className="flex flex-col items-start gap-1">
          <p className="text-sm text-ink-3">{counted(flows.length, 'flow')}, as the filter leaves them</p>
          {formats.map(({ ending, words, type, lines }) => (
            <Button
              key={ending}
              kind="quiet"
              onClick={() => {
                saveFile(
                  `flows-${cluster}.${ending}`,
                  type,
                  lines(flows).map((line) => `${line}\n`),
                );
                close();
              }}
            >
              {words}
            </Button>
          ))}
        </div>
      )}
    </MenuButton>
  );
}
