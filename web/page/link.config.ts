import { join } from "node:path";
import { defineConfig } from "vite";
import page from "./vite.config.ts";

/*
 * The page of payment links, with the payment page's settings and into the same folder. A build of its own: with shared files the payment page's
 * first load would be larger by a kilobyte. The service fills in `state` with a LinkPageState, or why there is none.
 */
export default defineConfig({
  ...page,
  build: {
    ...page.build,
    emptyOutDir: false,
    rolldownOptions: { input: join(import.meta.dirname, "link.html") },
  },
});
