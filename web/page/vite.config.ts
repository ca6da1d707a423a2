import { defineConfig } from "vite";

/*
 * The payment page: static files that the service serves below /pay/. For each payment the service fills in index.html: `state`
 * with a CheckoutState (or why there is none, see src/read-initial-state.ts), and `plain` with instructions for payers without
 * JavaScript. The content security policy allows inline data blocks but no inline scripts.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: "/pay/",
  // Every served file has a content hash in its name.
  publicDir: false,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../dist/page",
    emptyOutDir: true,
    assetsDir: "assets",
    // Inlined files would be data: URLs, which the content security policy rejects.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ["chrome111", "firefox115", "safari16.4"],
    reportCompressedSize: false,
  },
});
