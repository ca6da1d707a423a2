import { createHash } from "node:crypto";

/** A picture of a store. */
export type StoreImage = {
  readonly digest: string;
  readonly mediaType: ImageType;
  readonly content: Uint8Array;
};

const signatures = {
  "image/png": (bytes: Buffer) => bytes.subarray(0, 8).toString("hex") === "89504e470d0a1a0a",
  "image/jpeg": (bytes: Buffer) => bytes.subarray(0, 3).toString("hex") === "ffd8ff",
  "image/webp": (bytes: Buffer) =>
    bytes.subarray(0, 4).toString("latin1") === "RIFF" &&
    bytes.subarray(8, 12).toString("latin1") === "WEBP",
} as const;

export type ImageType = keyof typeof signatures;

/** A request body has at most 64 KiB, and base64 adds a third. */
const imageBytesMax = 40_000;

export const imageFault = `Provide a PNG, JPEG or WebP image of at most ${imageBytesMax} bytes as a data URL: data:image/png;base64,...`;

const dataUrl = /^data:(image\/(?:png|jpeg|webp));base64,([A-Za-z0-9+/]+={0,2})$/;

/**
 * Reads a data URL. Null unless it contains an image of its stated type. SVG is not accepted, because a browser that opens one runs its
 * scripts on the service's origin.
 */
export function readStoreImage(text: string): StoreImage | null {
  const [, type, base64 = ""] = dataUrl.exec(text) ?? [];
  if (type === undefined || !(type in signatures)) return null;
  const mediaType = type as ImageType;
  const content = Buffer.from(base64, "base64");
  if (content.length > imageBytesMax || !signatures[mediaType](content)) return null;
  return { digest: createHash("sha256").update(content).digest("hex"), mediaType, content };
}

/** The address of a stored image, below the deployment's own. */
export function imagePath(digest: string): string {
  return `/pay/images/${digest}`;
}

/** The digest in an image's address; null for another text. */
export function digestOfImage(baseUrl: string, url: string): string | null {
  const digest = url.startsWith(`${baseUrl}/pay/images/`) ? url.slice(-64) : "";
  return /^[0-9a-f]{64}$/.test(digest) && url === baseUrl + imagePath(digest) ? digest : null;
}
