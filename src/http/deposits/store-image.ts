import type { StoreImage } from "../../deposits/storefront/store-image.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import type { PlainRoute } from "../server/plain-route.ts";

/** `GET /pay/images/{digest}`: a picture of a store, for everyone who knows the digest of its bytes. */
export function storeImageRoute(
  readImage: (digest: string) => Promise<Pick<StoreImage, "mediaType" | "content"> | null>,
): PlainRoute {
  return {
    kind: "plain",
    method: "GET",
    path: "/pay/images/{digest}",
    isHidden: true,
    throttle: "page",
    summary: "Get a store's image",
    handle: async ({ params }) => {
      const digest = params["digest"] ?? "";
      const image = /^[0-9a-f]{64}$/.test(digest) ? await readImage(digest) : null;
      if (image === null) return reject("notFound", "This image does not exist.");
      return {
        status: 200,
        contentType: image.mediaType,
        body: image.content,
        headers: {
          "cache-control": "public, max-age=31536000, immutable",
          "content-security-policy": "default-src 'none'",
          "cross-origin-resource-policy": "same-origin",
          "x-content-type-options": "nosniff",
        },
      };
    },
  };
}
