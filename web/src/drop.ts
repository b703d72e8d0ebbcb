// Scene files: by drag and drop on the page, or by the file button.

import { byId } from "./dom";
import type { SceneFile } from "./session";

const LARGEST = 64e6;

export function listenFiles(open: (file: SceneFile) => void, complain: (text: string) => void): () => void {
  const veil = byId("drop");
  const input = byId<HTMLInputElement>("file");
  const read = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > LARGEST)
      return complain(`${file.name} has ${(file.size / 1e6).toFixed(0)} MB; scene files may have ${LARGEST / 1e6} MB.`);
    open({ name: file.name, text: await file.text() });
  };
  let depth = 0;
  const cover = (by: number) => {
    depth = Math.max(0, depth + by);
    veil.hidden = depth === 0;
  };
  addEventListener("dragenter", (e) => {
    e.preventDefault();
    cover(1);
  });
  addEventListener("dragleave", () => cover(-1));
  addEventListener("dragover", (e) => e.preventDefault());
  addEventListener("drop", (e) => {
    e.preventDefault();
    cover(-depth);
    void read(e.dataTransfer?.files[0]);
  });
  input.addEventListener("change", () => {
    void read(input.files?.[0]);
    input.value = "";
  });
  return () => input.click();
}
