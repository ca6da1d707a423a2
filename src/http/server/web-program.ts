import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { assert } from "../../platform/kernel/assert.ts";
import { acceptedEncoding } from "./accept-encoding.ts";
import type { PlainAnswer } from "./plain-route.ts";

/** A browser program built by scripts/build-web.js, held in memory. */
export type WebProgram = {
  /** Its start page; null when the program is not built. */
  readonly html: string | null;
  /** A file by its path below the program's folder (`assets/index-4f1c.js`); null if it does not exist. */
  readonly answerFile: (path: string, request: HeaderReader) => PlainAnswer | null;
};

type HeaderReader = { readonly header: (name: string) => string | null };

type Encoding = "br" | "gzip";
type WebFile = {
  readonly contentType: string;
  readonly digest: string;
  readonly cacheControl: string;
  readonly plain: Uint8Array;
  readonly encoded: ReadonlyMap<Encoding, Uint8Array>;
};

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/**
 * Reads a built program with its compressed files; `pageName` is its start page. Throws on a file type without a known content type.
 */
export function readWebProgram(folder: string, pageName = "index.html"): WebProgram {
  const page = join(folder, pageName);
  const files = new Map(filesBelow(folder).map((path) => [path, readWebFile(folder, path)]));
  return {
    html: existsSync(page) ? readFileSync(page, "utf8") : null,
    answerFile: (path, request) => {
      const file = files.get(path);
      return file === undefined ? null : answer(file, request);
    },
  };
}

/** Excludes the pages, which have routes of their own, the compressed files, and the build's own notes. */
function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:html|br|gz|sha256)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"));
}

function readWebFile(folder: string, path: string): WebFile {
  const contentType = contentTypes[extname(path)];
  assert(contentType !== undefined, `no content type is known for ${path}`);
  const plain = readFileSync(join(folder, path));
  const forms = [
    ["br", join(folder, `${path}.br`)],
    ["gzip", join(folder, `${path}.gz`)],
  ] as const;
  return {
    contentType,
    digest: createHash("sha256").update(plain).digest("base64url").slice(0, 22),
    // The build names the files in assets/ after their content.
    cacheControl: path.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
    plain,
    encoded: new Map(
      forms.flatMap(([encoding, file]) =>
        existsSync(file) ? [[encoding, readFileSync(file)] as const] : [],
      ),
    ),
  };
}

function answer(file: WebFile, { header }: HeaderReader): PlainAnswer {
  const encoding = acceptedEncoding(header("accept-encoding"), [...file.encoded.keys()]);
  const body = encoding === null ? file.plain : (file.encoded.get(encoding) ?? file.plain);
  const tag = `"${file.digest}${encoding === null ? "" : `-${encoding}`}"`;
  const headers = {
    etag: tag,
    "cache-control": file.cacheControl,
    vary: "Accept-Encoding, Origin",
    "cross-origin-resource-policy": "same-origin",
  };
  if (isNamed(tag, header("if-none-match")))
    return { status: 304, contentType: file.contentType, body: "", headers };
  const encoded = encoding === null ? headers : { ...headers, "content-encoding": encoding };
  return { status: 200, contentType: file.contentType, body, headers: encoded };
}

/** Whether `If-None-Match` names the tag; a weak comparison, as RFC 9110, 13.1.2, requires. */
function isNamed(tag: string, ifNoneMatch: string | null): boolean {
  const tags = ifNoneMatch?.split(",").map((text) => text.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(tag) || tags.includes("*");
}
