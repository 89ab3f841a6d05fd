// No browser starts a worker on a page that was opened from disk. There the search runs in a hidden frame, which looks
// like a worker from both sides: messages go in and come out, and importScripts loads one script after the other.
if (location.protocol === "file:") {
  const INSIDE = `
    const host = frameElement.worker;
    self.postMessage = (data) => host.dispatchEvent(new parent.MessageEvent("message", { data }));
    self.importScripts = async (...addresses) => {
      for (const address of addresses) {
        await new Promise((done, failed) => {
          const script = Object.assign(document.createElement("script"), { src: address, onload: done, onerror: failed });
          document.head.append(script);
        });
      }
    };`;
  globalThis.IFrameWorker = globalThis.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = Object.assign(document.createElement("iframe"), { hidden: true, worker: this });
      this.ready = new Promise((loaded) => { this.frame.onload = loaded; });
      this.frame.srcdoc = `<!doctype html><head><script>${INSIDE}</script><script src="${new URL(address, location.href)}"></script></head>`;
      document.body.append(this.frame);
    }

    postMessage(data) {
      this.ready.then(() => {
        const inside = this.frame.contentWindow;
        inside.dispatchEvent(new inside.MessageEvent("message", { data }));
      });
    }
  };
}
