// boot.js - runs before anything is drawn: whoever has scripts sees #app, all
// others the plain tables of #fallback, also where the page's script fails.
(root => {
  root.classList.add('js');
  addEventListener('error', () => {
    if (!root.dataset.ready) root.classList.remove('js');
  });
})(document.documentElement);
