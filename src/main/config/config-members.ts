import { z } from "zod";

export const port = z.int().min(0).max(65_535);

/** A path of a file or folder. */
export const filePath = z.string().min(1);
