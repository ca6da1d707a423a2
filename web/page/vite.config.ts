import { defineConfig } from "vite";

/*
 * The payer's page: static files that the service serves below /pay/. For each payment it fills in index.html: `state` with a
 * CheckoutState (or why there is none, see src/read-start.ts), and `plain` with what a payer without JavaScript has to know.
 * Nothing is inline that a strict content security policy refuses: a data block is no script.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: "/pay/",
  // The repository has no public files: what is served is named by a hash, for ever.
  publicDir: false,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../dist/page",
    emptyOutDir: true,
    assetsDir: "assets",
    // Inlined files would be data: URLs, which the page's policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ["chrome111", "firefox115", "safari16.4"],
    reportCompressedSize: false,
  },
});
