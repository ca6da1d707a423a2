/** As wide as the payment page shows pictures at most, on screens with two pixels for each of CSS. */
const widthMax = 800;
const heightMax = 512;
/** The service's limit of 40,000 bytes, as base64 with the prefix of a data URL. */
const lengthMax = 53_000;

/** The picture as a data URL that is small enough for the service; null if the browser cannot read it. */
export async function shrinkImage(file: File): Promise<string | null> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return null;
  for (
    let share = Math.min(1, widthMax / bitmap.width, heightMax / bitmap.height);
    ;
    share /= 1.5
  ) {
    const drawn = draw(bitmap, share);
    const found = ["image/png", "image/webp"]
      .map((type) => drawn.toDataURL(type, 0.9))
      .find((url) => url.length <= lengthMax);
    if (found !== undefined) return found;
  }
}

function draw(bitmap: ImageBitmap, share: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * share));
  canvas.height = Math.max(1, Math.round(bitmap.height * share));
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}
