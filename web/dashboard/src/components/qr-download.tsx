import { Button, Group } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { t } from "../language/t.ts";
import { qrModules, qrSvg } from "./qr-modules.ts";
import { saveFile } from "./save-file.ts";
import { useAction } from "./use-action.ts";

/** Enough for a print 10 cm wide at 300 dpi. */
const pngWidthMin = 1_200;

/** Saves a QR code as a picture: SVG for print, PNG for everything else. `name` is the file's without its ending. */
export function QrDownload({ value, name }: { readonly value: string; readonly name: string }) {
  const saving = useAction({
    mutationFn: async () => {
      saveFile(`${name}.png`, await drawPng(value));
    },
  });
  return (
    <Group justify="center" gap="xs">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} />}
        onClick={() => {
          saveFile(`${name}.svg`, new Blob([qrSvg(value)], { type: "image/svg+xml" }));
        }}
      >
        {t("Download SVG")}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} />}
        loading={saving.isPending}
        onClick={() => {
          saving.mutate();
        }}
      >
        {t("Download PNG")}
      </Button>
    </Group>
  );
}

/** Draws every module as a square of whole pixels, so that no edge is blurred. Throws when the browser refuses. */
async function drawPng(value: string): Promise<Blob> {
  const { rows, size } = qrModules(value);
  const pixels = Math.ceil(pngWidthMin / size);
  const canvas = document.createElement("canvas");
  canvas.width = size * pixels;
  canvas.height = size * pixels;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("This browser can't draw the picture.");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "#000";
  for (const [y, row] of rows.entries())
    for (const [x, isDark] of row.entries())
      if (isDark) context.fillRect(x * pixels, y * pixels, pixels, pixels);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error("This browser can't draw the picture."));
      else resolve(blob);
    }, "image/png");
  });
}
