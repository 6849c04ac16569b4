// boot.js - choose between #app and the plain tables of #fallback
//
// It runs before anything is drawn. With JavaScript the page shows #app. Without
// JavaScript, or if the page's script fails, it shows #fallback.
(root => {
  root.classList.add('js');
  addEventListener('error', () => {
    if (!root.dataset.ready) root.classList.remove('js');
  });
})(document.documentElement);
